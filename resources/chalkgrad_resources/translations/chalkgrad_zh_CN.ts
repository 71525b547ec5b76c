<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Accessible</name>
    <message>
        <source>Graph canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intermediate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient covered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to come</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a copy in a second window, for comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export picture...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the graph as PNG, SVG or PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export PyTorch code...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy value as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>100%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cover gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cover gradients until they are clicked: predict first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every command...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick add...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tensor that requires grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>requires_grad on the leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the graph out from left to right (the selection, where there is one)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap in no_grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward from the selection, else from the last result that nothing uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward with options...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>autograd.grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep its grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the grad of an intermediate at the next backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero grads: to None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero the gradients by setting them to None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero grads: to zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zero the gradients by writing zeros into them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detach in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Require grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run forward again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Execute the operators once more: new tensors, new grad_fns, fresh buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start over (keep the graph)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Chalkgrad</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AutogradPanel</name>
    <message>
        <source>Autograd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>root of the backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty = None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights for a root that is not a scalar: a value or the name of a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the buffers, so that backward can run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the gradient&apos;s own computation, for second derivatives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accumulate into these tensors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return the gradients instead of accumulating them into .grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} (selection)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selection</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message>
        <source>Recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lecture F11</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chinese or English</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blackboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Blocks</name>
    <message>
        <source>{name} can&apos;t move there: line {line} needs it before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} can&apos;t move there: a line between needs it, or it needs one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CanvasArea</name>
    <message>
        <source>line {line} of {lines}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cards: an operator with its result</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Card</name>
    <message>
        <source>leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved {n} freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saves nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to come</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message>
        <source>clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t paste this: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate cards</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Type a command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run forward again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also deleted: {lines}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left with an open port: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran again from line {line}, {n} backwards included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran again from line {line}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intermediate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} (line {line})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It doesn&apos;t require grad, so no gradient is worked out for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No backward has run yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is an intermediate: gradients flow through it but are kept in leaves only. retain_grad() keeps it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root of the backward doesn&apos;t depend on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was set to None, or no gradient reached it since.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Only the call of a function that makes a tensor can stand here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A Python number or the name of a tensor goes here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Filing</name>
    <message>
        <source>Documents and PyTorch code (*.chalk *.py *.ipynb)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t open {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} (copy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chalkgrad document (*.chalk)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has changes that are not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch code (*.py)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export PyTorch code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chalkgrad ended unexpectedly. Open what was not saved?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t recover {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t write {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrote {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is gone from the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} was changed by another program. Read it again?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t keep a copy for recovery: {why}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InlineEditor</name>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit operand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter ends, Esc gives up. Tables and printed arrays can be pasted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter ends, Esc gives up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number or name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>... and {n} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a card or a line to see everything about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting: a port is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not reached: it needs a result that was not produced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To come.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to reveal</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Keyboard</name>
    <message>
        <source>Move</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Chalkgrad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chalkgrad shows what PyTorch 2.13&apos;s autograd does, computed by a numpy core of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Autograd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Add note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick add...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert {tag}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {tag}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete wire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Move</name>
    <message>
        <source>Move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OptionsEditor</name>
    <message>
        <source>by its values</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OutputPanel</name>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PalettePanel</name>
    <message>
        <source>Search  /</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A leaf that does not require grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A leaf that requires grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor leaf</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PastBand</name>
    <message>
        <source>Looking at line {line} of {lines}. New lines go here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking inside line {line} of {lines}. New lines go after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Placing</name>
    <message>
        <source>Add tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add frame</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgramPanel</name>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran again {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap in no_grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgramRows</name>
    <message>
        <source>Move lines</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuickAdd</name>
    <message>
        <source>Nothing is called that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter builds the graph of this expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator, or y = (x + w) * (w + 1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can be placed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Type an expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or drag a tensor here from the left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the course example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a .py or .chalk</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TensorsPanel</name>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tooltips</name>
    <message>
        <source>click to type a number, or drag a wire here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wire</name>
    <message>
        <source>A tensor can&apos;t need itself: {circle}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove wire</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

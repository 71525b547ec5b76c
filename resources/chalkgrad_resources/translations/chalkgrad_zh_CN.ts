<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>About</name>
    <message>
        <source>About Chalkgrad</source>
        <translation>关于 Chalkgrad</translation>
    </message>
    <message>
        <source>Chalkgrad shows what PyTorch 2.13&apos;s autograd does, computed by a numpy core of its own.</source>
        <translation>Chalkgrad 展示 PyTorch 2.13 自动求导的全过程，由自带的 numpy 内核计算。</translation>
    </message>
    <message>
        <source>It is free software under the {name} licence and stands on:</source>
        <translation>自由软件，采用 {name} 许可证，基于：</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
</context>
<context>
    <name>Accessible</name>
    <message>
        <source>Graph canvas</source>
        <translation>计算图画布</translation>
    </message>
    <message>
        <source>leaf</source>
        <translation>叶子节点</translation>
    </message>
    <message>
        <source>intermediate</source>
        <translation>中间节点</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>shape {shape}</source>
        <translation>形状 {shape}</translation>
    </message>
    <message>
        <source>from {names}</source>
        <translation>来自 {names}</translation>
    </message>
    <message>
        <source>to {names}</source>
        <translation>通向 {names}</translation>
    </message>
    <message>
        <source>gradient covered</source>
        <translation>梯度已遮住</translation>
    </message>
    <message>
        <source>cards: {n}</source>
        <translation>卡片：{n}</translation>
    </message>
    <message>
        <source>notes: {n}</source>
        <translation>便签：{n}</translation>
    </message>
    <message>
        <source>frames: {n}</source>
        <translation>框：{n}</translation>
    </message>
    <message>
        <source>nodes of backward graphs: {n}</source>
        <translation>反向图节点：{n}</translation>
    </message>
    <message>
        <source>leaf or not: covered</source>
        <translation>是否叶子节点：已遮住</translation>
    </message>
    <message>
        <source>in {names}</source>
        <translation>在 {names} 内</translation>
    </message>
    <message>
        <source>belongs to {name}</source>
        <translation>属于 {name}</translation>
    </message>
    <message>
        <source>block {title}</source>
        <translation>{title} 块</translation>
    </message>
    <message>
        <source>frame {title}</source>
        <translation>框 {title}</translation>
    </message>
    <message>
        <source>folded, {n} cards</source>
        <translation>已折叠，{n} 张卡片</translation>
    </message>
    <message>
        <source>gradient {value}</source>
        <translation>梯度 {value}</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未执行到</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>待执行</translation>
    </message>
    <message>
        <source>from line {n}</source>
        <translation>来自第 {n} 行</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Nothing is hidden: choose what to predict in the menu Show</source>
        <translation>没有遮住任何内容：请在“显示”菜单里选择要猜什么</translation>
    </message>
    <message>
        <source>There are no cards yet</source>
        <translation>还没有卡片</translation>
    </message>
    <message>
        <source>Select something first</source>
        <translation>请先选中一些内容</translation>
    </message>
    <message>
        <source>Select a card first</source>
        <translation>请先选中一张卡片</translation>
    </message>
    <message>
        <source>Select a card or a node first</source>
        <translation>请先选中一张卡片或一个节点</translation>
    </message>
    <message>
        <source>There is no backward in the program yet</source>
        <translation>程序中还没有反向传播</translation>
    </message>
    <message>
        <source>Select a node beside the cards first</source>
        <translation>请先选中卡片旁的一个节点</translation>
    </message>
    <message>
        <source>No backward with create_graph=True has run yet</source>
        <translation>还没有运行过带 create_graph=True 的反向传播</translation>
    </message>
    <message>
        <source>Select one card, note or frame first</source>
        <translation>请先选中一张卡片、一张便签或一个框</translation>
    </message>
    <message>
        <source>Select two or more cards, notes or frames first</source>
        <translation>请先选择两个或更多卡片、便签或框</translation>
    </message>
    <message>
        <source>Select a frame first</source>
        <translation>请先选择一个框</translation>
    </message>
    <message>
        <source>Make a loop first: select lines and repeat them</source>
        <translation>请先做一个循环：选中几行语句并放进循环</translation>
    </message>
    <message>
        <source>Select a card in a frame of no_grad or its kin first</source>
        <translation>请先选中 no_grad 之类的框里的一张卡片</translation>
    </message>
    <message>
        <source>Select a leaf tensor first</source>
        <translation>请先选中一个叶子张量</translation>
    </message>
    <message>
        <source>Select a tensor that has a gradient first</source>
        <translation>请先选择一个有梯度的张量</translation>
    </message>
    <message>
        <source>Select a tensor that has a hook first</source>
        <translation>请先选中一个带钩子的张量</translation>
    </message>
    <message>
        <source>Select a tensor whose grad is None first</source>
        <translation>请先选择一个 grad 为 None 的张量</translation>
    </message>
    <message>
        <source>You are looking at now already</source>
        <translation>现在看的就是当前时刻</translation>
    </message>
    <message>
        <source>Nothing went wrong up to here</source>
        <translation>到这里为止没有出错</translation>
    </message>
    <message>
        <source>There is nothing to do that to now</source>
        <translation>现在没有可以这样做的对象</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Open a copy in a second window, for comparing</source>
        <translation>在另一个窗口中打开副本，便于对照</translation>
    </message>
    <message>
        <source>Export picture...</source>
        <translation>导出图片…</translation>
    </message>
    <message>
        <source>Write the graph as PNG, SVG or PDF</source>
        <translation>把计算图导出为 PNG、SVG 或 PDF</translation>
    </message>
    <message>
        <source>Export PyTorch code...</source>
        <translation>导出 PyTorch 代码…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Close window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Copy value as text</source>
        <translation>复制值（文本）</translation>
    </message>
    <message>
        <source>Duplicate cards</source>
        <translation>创建卡片副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select what it needs</source>
        <translation>选中它所依赖的</translation>
    </message>
    <message>
        <source>Select what needs it</source>
        <translation>选中依赖它的</translation>
    </message>
    <message>
        <source>Select its neighbours</source>
        <translation>选中相邻的卡片</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit attributes...</source>
        <translation>编辑属性…</translation>
    </message>
    <message>
        <source>How a leaf is made; the attributes of an operator: dim, keepdim ...</source>
        <translation>叶子节点怎样生成；算子的属性：dim、keepdim 等</translation>
    </message>
    <message>
        <source>Numbers in a grid...</source>
        <translation>用表格看数值…</translation>
    </message>
    <message>
        <source>Edit a leaf&apos;s numbers as in a spreadsheet, look at a result&apos;s</source>
        <translation>像电子表格一样编辑叶子节点的数值，或查看结果的数值</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>100%</source>
        <translation>100%</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>显示所选</translation>
    </message>
    <message>
        <source>Find...</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>retain_graph and create_graph side by side...</source>
        <translation>并排比较 retain_graph 与 create_graph…</translation>
    </message>
    <message>
        <source>Run a backward without options, with retain_graph and with create_graph</source>
        <translation>把同一个反向传播分别不带选项、带 retain_graph、带 create_graph 各运行一遍</translation>
    </message>
    <message>
        <source>Graphs of gradients</source>
        <translation>梯度的计算图</translation>
    </message>
    <message>
        <source>What backwards with create_graph=True computed, as nodes below the cards</source>
        <translation>把带 create_graph=True 的反向传播所做的计算，画成卡片下方的节点</translation>
    </message>
    <message>
        <source>More attributes</source>
        <translation>更多属性</translation>
    </message>
    <message>
        <source>In the autograd drawing: retains_grad, _version, shape and dtype, too</source>
        <translation>在 autograd 画法中还显示 retains_grad、_version、shape 和 dtype</translation>
    </message>
    <message>
        <source>Fold or open graphs of gradients</source>
        <translation>折叠或展开梯度的计算图</translation>
    </message>
    <message>
        <source>That of the chosen node, else all of them</source>
        <translation>所选节点所在的图；没有选中节点时则是全部</translation>
    </message>
    <message>
        <source>Go to its gradient&apos;s nodes</source>
        <translation>转到它的梯度节点</translation>
    </message>
    <message>
        <source>The first node of a gradient&apos;s graph that came from the selected card</source>
        <translation>梯度的计算图中，由所选卡片产生的第一个节点</translation>
    </message>
    <message>
        <source>Look at the moment it was made</source>
        <translation>查看它产生的那一刻</translation>
    </message>
    <message>
        <source>Go back in time to where the chosen node was recorded</source>
        <translation>回到所选节点被记录下来的那一刻</translation>
    </message>
    <message>
        <source>Go to its card</source>
        <translation>转到它的卡片</translation>
    </message>
    <message>
        <source>The card that the chosen node came from</source>
        <translation>产生所选节点的那张卡片</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Views glide and cards move to their places; off: they jump</source>
        <translation>视图平滑移动，卡片滑到位置；关闭后直接跳到</translation>
    </message>
    <message>
        <source>The wheel pans</source>
        <translation>滚轮平移</translation>
    </message>
    <message>
        <source>The mouse&apos;s wheel pans; with Ctrl it zooms</source>
        <translation>鼠标滚轮平移画布；按住 Ctrl 则缩放</translation>
    </message>
    <message>
        <source>Next part of the window</source>
        <translation>窗口的下一部分</translation>
    </message>
    <message>
        <source>Operators, canvas, panels, program</source>
        <translation>算子面板、画布、各面板、程序</translation>
    </message>
    <message>
        <source>Previous part of the window</source>
        <translation>窗口的上一部分</translation>
    </message>
    <message>
        <source>Go to the menus</source>
        <translation>转到菜单</translation>
    </message>
    <message>
        <source>Draw as cards</source>
        <translation>画成卡片</translation>
    </message>
    <message>
        <source>Operators with their results; compact</source>
        <translation>算子连同其结果；紧凑</translation>
    </message>
    <message>
        <source>Draw as data and edges</source>
        <translation>画成数据与边</translation>
    </message>
    <message>
        <source>Tensors are nodes, operators stand where their edges join</source>
        <translation>张量是节点，算子写在它的各条边汇合处</translation>
    </message>
    <message>
        <source>Draw as autograd</source>
        <translation>画成自动求导图</translation>
    </message>
    <message>
        <source>Tensors with their attributes, and the backward graph beside them</source>
        <translation>张量连同其属性，旁边是反向图</translation>
    </message>
    <message>
        <source>Cover gradients</source>
        <translation>遮住梯度</translation>
    </message>
    <message>
        <source>Cover gradients until they are clicked: predict first</source>
        <translation>遮住梯度，点击才显示：先猜后看</translation>
    </message>
    <message>
        <source>Predict first: gradients</source>
        <translation>先猜后看：梯度</translation>
    </message>
    <message>
        <source>Gradients stay hidden until you have said what they are</source>
        <translation>梯度一直遮住，直到你说出它们是什么</translation>
    </message>
    <message>
        <source>Predict first: is_leaf and requires_grad</source>
        <translation>先猜后看：is_leaf 与 requires_grad</translation>
    </message>
    <message>
        <source>What is a leaf and what requires grad stays hidden until you have said it</source>
        <translation>哪些是叶子节点、哪些需要梯度一直遮住，直到你说出来</translation>
    </message>
    <message>
        <source>Predict first: will this line fail?</source>
        <translation>先猜后看：这一行会出错吗？</translation>
    </message>
    <message>
        <source>Before a backward is shown you say whether it fails</source>
        <translation>在显示一次反向传播之前，先说它会不会出错</translation>
    </message>
    <message>
        <source>Answer the next question</source>
        <translation>回答下一个问题</translation>
    </message>
    <message>
        <source>Say what the selected card hides, else the first card that hides something</source>
        <translation>说出所选卡片遮住的内容；没有则是第一个遮住内容的卡片</translation>
    </message>
    <message>
        <source>Lecture</source>
        <translation>讲课</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Every command...</source>
        <translation>所有命令…</translation>
    </message>
    <message>
        <source>Quick add...</source>
        <translation>快速添加…</translation>
    </message>
    <message>
        <source>Insert operator...</source>
        <translation>插入算子…</translation>
    </message>
    <message>
        <source>Put an operator into the wire chosen, or behind the card selected</source>
        <translation>在所选连线中或所选卡片之后插入算子</translation>
    </message>
    <message>
        <source>Change to...</source>
        <translation>更换为…</translation>
    </message>
    <message>
        <source>Make another operator of a card: wires, numbers, name and place stay</source>
        <translation>更换卡片的算子：连线、数字、名称和位置不变</translation>
    </message>
    <message>
        <source>Swap inputs</source>
        <translation>交换输入</translation>
    </message>
    <message>
        <source>Pull out of its wires</source>
        <translation>从连线中取出</translation>
    </message>
    <message>
        <source>Take cards out of their wires and join these (Alt while dragging does so too)</source>
        <translation>将卡片从连线中取出并接通连线（拖动时按住 Alt 亦可）</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开连线</translation>
    </message>
    <message>
        <source>Take the wires off the selected cards, or the one chosen off its port</source>
        <translation>断开所选卡片的全部连线，或所选的那条连线</translation>
    </message>
    <message>
        <source>Delete and reconnect</source>
        <translation>删除并接通连线</translation>
    </message>
    <message>
        <source>Delete cards; what read them reads their first input</source>
        <translation>删除卡片；原先读取它们的改为读取其第一个输入</translation>
    </message>
    <message>
        <source>Add tensor</source>
        <translation>添加张量</translation>
    </message>
    <message>
        <source>Add tensor that requires grad</source>
        <translation>添加需要梯度的张量</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>添加便签</translation>
    </message>
    <message>
        <source>requires_grad on the leaf</source>
        <translation>切换叶子节点的 requires_grad</translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation>整理布局</translation>
    </message>
    <message>
        <source>Lay the graph out from left to right (the selection, where there is one)</source>
        <translation>从左到右重新排布计算图（有选中时只排所选部分）</translation>
    </message>
    <message>
        <source>Keep in place</source>
        <translation>固定位置</translation>
    </message>
    <message>
        <source>Tidying leaves the selected cards where they are; a second time lets it move them</source>
        <translation>整理布局时不移动选中的卡片；再按一次则允许移动</translation>
    </message>
    <message>
        <source>Align left</source>
        <translation>左对齐</translation>
    </message>
    <message>
        <source>Align right</source>
        <translation>右对齐</translation>
    </message>
    <message>
        <source>Align top</source>
        <translation>顶部对齐</translation>
    </message>
    <message>
        <source>Align bottom</source>
        <translation>底部对齐</translation>
    </message>
    <message>
        <source>Align centres in a column</source>
        <translation>居中对齐成一列</translation>
    </message>
    <message>
        <source>Align centres in a row</source>
        <translation>居中对齐成一行</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>水平等距分布</translation>
    </message>
    <message>
        <source>Make the gaps between three or more equal</source>
        <translation>让三个或更多对象之间的间距相等</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>垂直等距分布</translation>
    </message>
    <message>
        <source>Frame the selection</source>
        <translation>给所选内容加框</translation>
    </message>
    <message>
        <source>Put a titled frame around what is selected</source>
        <translation>在所选内容四周加一个带标题的框</translation>
    </message>
    <message>
        <source>Next colour of the frame</source>
        <translation>框的下一种颜色</translation>
    </message>
    <message>
        <source>Fold or open</source>
        <translation>折叠或展开</translation>
    </message>
    <message>
        <source>Show a frame, or what is selected, as one node; open one that is folded</source>
        <translation>把一个框或所选内容显示为一个节点；已折叠的则展开</translation>
    </message>
    <message>
        <source>Label...</source>
        <translation>标签…</translation>
    </message>
    <message>
        <source>Write a short text under the card, or the title of the frame</source>
        <translation>在卡片下方写一小段文字，或写框的标题</translation>
    </message>
    <message>
        <source>Snap to the grid</source>
        <translation>对齐到网格</translation>
    </message>
    <message>
        <source>Snap to neighbours</source>
        <translation>对齐到相邻对象</translation>
    </message>
    <message>
        <source>Edges, centres, level wires and equal gaps attract while dragging; not with Ctrl</source>
        <translation>拖动时会被边缘、中心、水平连线和相等间距吸附；按住 Ctrl 则不吸附</translation>
    </message>
    <message>
        <source>Wrap in no_grad</source>
        <translation>包进 no_grad</translation>
    </message>
    <message>
        <source>A block around the lines selected, in which no gradient is recorded</source>
        <translation>围住所选语句的块，块内不记录梯度</translation>
    </message>
    <message>
        <source>Wrap in enable_grad</source>
        <translation>放入 enable_grad</translation>
    </message>
    <message>
        <source>A block around the lines selected, in which gradients are recorded again</source>
        <translation>围住所选语句的块，块内重新记录梯度</translation>
    </message>
    <message>
        <source>Wrap in inference_mode</source>
        <translation>放入 inference_mode</translation>
    </message>
    <message>
        <source>A block around the lines selected, whose results take part in no backward</source>
        <translation>围住所选语句的块，块内的结果不参与任何反向传播</translation>
    </message>
    <message>
        <source>Repeat in a loop</source>
        <translation>放进循环</translation>
    </message>
    <message>
        <source>Put the selected lines into a loop; its title says how many rounds</source>
        <translation>把选中的语句放进循环；循环框的标题写着轮数</translation>
    </message>
    <message>
        <source>Rounds of the loop...</source>
        <translation>循环的轮数…</translation>
    </message>
    <message>
        <source>Type how many rounds the loop has</source>
        <translation>输入循环要跑多少轮</translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation>取消包裹</translation>
    </message>
    <message>
        <source>Wire...</source>
        <translation>连线…</translation>
    </message>
    <message>
        <source>Wire by keys: arrows or letters choose the port, Enter connects</source>
        <translation>用键盘连线：方向键或字母选端口，Enter 连接</translation>
    </message>
    <message>
        <source>Choose its next wire</source>
        <translation>选择它的下一条连线</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>Backward from the selection, else from the last result that nothing uses</source>
        <translation>从选中的节点开始反向传播；未选中时，从最后一个没被用到的结果开始</translation>
    </message>
    <message>
        <source>Backward with options...</source>
        <translation>反向传播（带选项）…</translation>
    </message>
    <message>
        <source>autograd.grad</source>
        <translation>autograd.grad</translation>
    </message>
    <message>
        <source>Gradients as results of their own, written into no .grad</source>
        <translation>把梯度作为单独的结果，不写入任何 .grad</translation>
    </message>
    <message>
        <source>Keep its grad</source>
        <translation>保留该节点的梯度</translation>
    </message>
    <message>
        <source>Keep the grad of an intermediate at the next backward</source>
        <translation>下一次反向传播时保留中间节点的梯度</translation>
    </message>
    <message>
        <source>Zero grads: to None</source>
        <translation>梯度清零：置为 None</translation>
    </message>
    <message>
        <source>Zero the gradients by setting them to None</source>
        <translation>把梯度置为 None 来清零</translation>
    </message>
    <message>
        <source>Zero grads: to zeros</source>
        <translation>梯度清零：填 0</translation>
    </message>
    <message>
        <source>Zero the gradients by writing zeros into them</source>
        <translation>往梯度里填 0 来清零</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>脱离计算图</translation>
    </message>
    <message>
        <source>Detach in place</source>
        <translation>原地脱离计算图</translation>
    </message>
    <message>
        <source>Cut the tensor itself off its graph: y.detach_()</source>
        <translation>把张量本身从计算图中分离：y.detach_()</translation>
    </message>
    <message>
        <source>Require grad</source>
        <translation>设为需要梯度</translation>
    </message>
    <message>
        <source>Have the tensor require grad from here on: c.requires_grad_()</source>
        <translation>让张量从这里起需要梯度：c.requires_grad_()</translation>
    </message>
    <message>
        <source>Print gradients that pass (hook)</source>
        <translation>打印经过的梯度（钩子）</translation>
    </message>
    <message>
        <source>A hook is called with each gradient on its way; type another one: a.register_hook(lambda g: g * 2)</source>
        <translation>梯度经过时会调用钩子；也可以自己输入：a.register_hook(lambda g: g * 2)</translation>
    </message>
    <message>
        <source>Remove the hook</source>
        <translation>移除钩子</translation>
    </message>
    <message>
        <source>Take the last hook of the selected tensor away from here on: h.remove()</source>
        <translation>从这里起移除所选张量的最后一个钩子：h.remove()</translation>
    </message>
    <message>
        <source>Print the grad</source>
        <translation>打印梯度</translation>
    </message>
    <message>
        <source>Print the gradient of what is selected: print(w.grad)</source>
        <translation>打印所选张量的梯度：print(w.grad)</translation>
    </message>
    <message>
        <source>Mend...</source>
        <translation>修正…</translation>
    </message>
    <message>
        <source>Say what went wrong here, and offer the ways to mend it</source>
        <translation>说明这里出了什么错，并给出修正的办法</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What is saved for a backward, by whom, how large, and when it is freed</source>
        <translation>为反向保存了什么：由谁保存、有多大、何时释放</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Who wrote the selected tensor, who saved which version, and who read it</source>
        <translation>谁改写了选中的张量、谁保存了哪个版本、谁又读取了它</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>The node at work in a backward, the ready queue, and who waits for whom</source>
        <translation>反向传播中正在执行的节点、就绪队列，以及谁在等谁</translation>
    </message>
    <message>
        <source>Why this gradient?</source>
        <translation>这个梯度是怎么来的？</translation>
    </message>
    <message>
        <source>The chain rule of the selected tensor, in symbols and with its numbers</source>
        <translation>所选张量的链式法则：先用符号写出，再代入数字</translation>
    </message>
    <message>
        <source>Finite differences beside the gradient</source>
        <translation>在梯度旁显示有限差分</translation>
    </message>
    <message>
        <source>Check the selected tensor&apos;s gradient against (f(x + ε) - f(x - ε)) / 2ε</source>
        <translation>用 (f(x + ε) - f(x - ε)) / 2ε 检验所选张量的梯度</translation>
    </message>
    <message>
        <source>Why is there no gradient?</source>
        <translation>为什么没有梯度？</translation>
    </message>
    <message>
        <source>Why the selected tensor&apos;s .grad is None, and what can be done about it</source>
        <translation>所选张量的 .grad 为什么是 None，可以怎么办</translation>
    </message>
    <message>
        <source>Why a leaf, or why not?</source>
        <translation>为什么是（或不是）叶子节点？</translation>
    </message>
    <message>
        <source>Why the selected tensor is a leaf or an intermediate</source>
        <translation>所选张量为什么是叶子节点或中间节点</translation>
    </message>
    <message>
        <source>Why does it require grad, or not?</source>
        <translation>为什么需要（或不需要）梯度？</translation>
    </message>
    <message>
        <source>Why the selected tensor requires grad or doesn&apos;t</source>
        <translation>所选张量为什么需要或不需要梯度</translation>
    </message>
    <message>
        <source>Run forward again</source>
        <translation>再算一遍前向</translation>
    </message>
    <message>
        <source>Execute the operators once more: new tensors, new grad_fns, fresh buffers</source>
        <translation>把算子再执行一遍：新的张量、新的 grad_fn、新的缓存</translation>
    </message>
    <message>
        <source>Start over (keep the graph)</source>
        <translation>重新开始（保留图）</translation>
    </message>
    <message>
        <source>Next line</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Previous line</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>下一个事件</translation>
    </message>
    <message>
        <source>Previous event</source>
        <translation>上一个事件</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Go from event to event by itself, at the speed chosen under the program</source>
        <translation>自动逐个事件前进，速度在程序列表下方选择</translation>
    </message>
    <message>
        <source>Training loop...</source>
        <translation>训练循环…</translation>
    </message>
    <message>
        <source>Put backward and update after the loss, and all of it into a loop</source>
        <translation>在损失之后加上反向传播和参数更新，并把它们一起放进循环</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>The loss and the parameters of a loop, round by round</source>
        <translation>循环中每一轮的损失和参数</translation>
    </message>
    <message>
        <source>Next round</source>
        <translation>下一轮</translation>
    </message>
    <message>
        <source>Previous round</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>Play or pause the rounds</source>
        <translation>逐轮播放或暂停</translation>
    </message>
    <message>
        <source>Go from round to round by itself; pause a loop that runs</source>
        <translation>自动一轮一轮地走；正在运行的循环会暂停</translation>
    </message>
    <message>
        <source>Run all rounds</source>
        <translation>跑完所有轮</translation>
    </message>
    <message>
        <source>Run the rounds that are left of a loop that waits</source>
        <translation>把正在等待的循环剩下的轮跑完</translation>
    </message>
    <message>
        <source>Back to the first round</source>
        <translation>回到第一轮</translation>
    </message>
    <message>
        <source>Run from the start, and wait before the first round</source>
        <translation>从头运行，停在第一轮之前</translation>
    </message>
    <message>
        <source>Next accumulation</source>
        <translation>下一次梯度累加</translation>
    </message>
    <message>
        <source>Previous accumulation</source>
        <translation>上一次梯度累加</translation>
    </message>
    <message>
        <source>Next error</source>
        <translation>下一个错误</translation>
    </message>
    <message>
        <source>Previous error</source>
        <translation>上一个错误</translation>
    </message>
    <message>
        <source>Next release</source>
        <translation>下一次释放</translation>
    </message>
    <message>
        <source>Previous release</source>
        <translation>上一次释放</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>About Chalkgrad</source>
        <translation>关于 Chalkgrad</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Select one card or one wire to put an operator behind it.</source>
        <translation>请先选中一张卡片或一条连线，再在其后插入算子。</translation>
    </message>
    <message>
        <source>Select an operator that makes a tensor of its own to change it.</source>
        <translation>请先选中一个产生自己结果的算子，再更换它。</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 行</translation>
    </message>
    <message>
        <source>Enter builds:</source>
        <translation>按 Enter 将搭建：</translation>
    </message>
    <message>
        <source>^ is exclusive or of bits; the power is **: x ** 2</source>
        <translation>^ 是按位异或；乘方要写 **：x ** 2</translation>
    </message>
    <message>
        <source>Products are written with *: {text}</source>
        <translation>乘法要写乘号：{text}</translation>
    </message>
    <message>
        <source>{module} is a module; modules are not offered here, the function {function} is.</source>
        <translation>{module} 是模块；这里不提供模块，请用函数 {function}。</translation>
    </message>
    <message>
        <source>There is no operator {name}.</source>
        <translation>没有名为 {name} 的算子。</translation>
    </message>
    <message>
        <source>{why} Here: {text}</source>
        <translation>{why} 位置：{text}</translation>
    </message>
    <message>
        <source>{why} Near names: {names}</source>
        <translation>{why}名称相近的有：{names}</translation>
    </message>
</context>
<context>
    <name>Advice</name>
    <message>
        <source>Mend it so: {words}</source>
        <translation>这样修正：{words}</translation>
    </message>
    <message>
        <source>The program has changed: this no longer applies</source>
        <translation>程序已经改变，这一项不再适用</translation>
    </message>
</context>
<context>
    <name>Announcing</name>
    <message>
        <source>and {n} more lines</source>
        <translation>以及另外 {n} 行</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Looking at line {n}</source>
        <translation>正在看第 {n} 行</translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>Nothing is hidden here</source>
        <translation>这里没有遮住任何内容</translation>
    </message>
</context>
<context>
    <name>AskingBand</name>
    <message>
        <source>Line {line} has run already. Whether it fails is asked at the moment before it.</source>
        <translation>第 {line} 行已经运行过。它会不会失败，要在它运行之前的那一刻提问。</translation>
    </message>
    <message>
        <source>Go back and ask</source>
        <translation>回到那时并提问</translation>
    </message>
</context>
<context>
    <name>Astray</name>
    <message>
        <source>Everything lies elsewhere. Show it (Home)</source>
        <translation>内容都在视野之外。显示全部（Home）</translation>
    </message>
</context>
<context>
    <name>AutogradPanel</name>
    <message>
        <source>Autograd</source>
        <translation>自动求导</translation>
    </message>
    <message>
        <source>root of the backward</source>
        <translation>反向传播的起点</translation>
    </message>
    <message>
        <source>What the backward starts from: the selection, or always the same result</source>
        <translation>反向传播从哪里开始：跟随选中的节点，或固定为某个结果</translation>
    </message>
    <message>
        <source>The weights v of a root that is not a scalar: a value, a name, or torch.ones_like(y)</source>
        <translation>起点不是标量时传入的权重 v：写值、张量的名称，或 torch.ones_like(y)</translation>
    </message>
    <message>
        <source>Keep the buffers, so that backward can run again</source>
        <translation>保留缓存，以便再次反向传播</translation>
    </message>
    <message>
        <source>Build a graph of the gradient itself, for second derivatives</source>
        <translation>为梯度建图，用来求二阶导数</translation>
    </message>
    <message>
        <source>Accumulate into these tensors only</source>
        <translation>只累加到这些张量</translation>
    </message>
    <message>
        <source>Return the gradients instead of accumulating them into .grad</source>
        <translation>直接返回梯度，不累加到 .grad</translation>
    </message>
    <message>
        <source>{name} (selection)</source>
        <translation>{name}（所选）</translation>
    </message>
    <message>
        <source>{name} (last result)</source>
        <translation>{name}（最后的结果）</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>所选</translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message>
        <source>Colour-blind safe</source>
        <translation>色盲友好</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>例子</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Draw as</source>
        <translation>画法</translation>
    </message>
    <message>
        <source>Graphs of gradients</source>
        <translation>梯度的计算图</translation>
    </message>
    <message>
        <source>Detach, require grad, hooks</source>
        <translation>脱离、需要梯度、钩子</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>跳转到</translation>
    </message>
    <message>
        <source>Chinese or English</source>
        <translation>中文或英文</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Blackboard</source>
        <translation>黑板</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
</context>
<context>
    <name>Blocks</name>
    <message>
        <source>Move {what} into {block}</source>
        <translation>把 {what} 移入 {block}</translation>
    </message>
    <message>
        <source>Move {what} out of {block}</source>
        <translation>把 {what} 移出 {block}</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>Graph canvas</source>
        <translation>计算图画布</translation>
    </message>
    <message>
        <source>This line gives nothing a name</source>
        <translation>这一行没有给任何东西命名</translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation>取消包裹</translation>
    </message>
</context>
<context>
    <name>CanvasArea</name>
    <message>
        <source>line {line} of {lines}</source>
        <translation>第 {line} 行，共 {lines} 行</translation>
    </message>
    <message>
        <source>line {line} of {lines} · now</source>
        <translation>第 {line} 行，共 {lines} 行 · 现在</translation>
    </message>
</context>
<context>
    <name>Card</name>
    <message>
        <source>leaf</source>
        <translation>叶子</translation>
    </message>
    <message>
        <source>saved {n}</source>
        <translation>保存 {n}</translation>
    </message>
    <message>
        <source>saved {n} freed</source>
        <translation>保存 {n} 已释放</translation>
    </message>
    <message>
        <source>{n} freed</source>
        <translation>{n} 已释放</translation>
    </message>
    <message>
        <source>saves nothing</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未执行到</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>待执行</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>saved v{n}</source>
        <translation>保存了 v{n}</translation>
    </message>
    <message>
        <source>wrote v{n}</source>
        <translation>改写为 v{n}</translation>
    </message>
    <message>
        <source>1 card</source>
        <translation>1 张卡片</translation>
    </message>
    <message>
        <source>{n} cards</source>
        <translation>{n} 张卡片</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>{n} nodes</source>
        <translation>{n} 个节点</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>{nth} derivative</source>
        <translation>{nth}导数</translation>
    </message>
    <message>
        <source>1st</source>
        <translation>一阶</translation>
    </message>
    <message>
        <source>2nd</source>
        <translation>二阶</translation>
    </message>
    <message>
        <source>3rd</source>
        <translation>三阶</translation>
    </message>
    <message>
        <source>{n}th</source>
        <translation>{n} 阶</translation>
    </message>
</context>
<context>
    <name>CellDelegate</name>
    <message>
        <source>Row {row}, column {column}</source>
        <translation>第 {row} 行，第 {column} 列</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Enter takes it, Esc goes back</source>
        <translation>Enter 确认，Esc 还原</translation>
    </message>
    <message>
        <source>Enter takes it</source>
        <translation>Enter 确认</translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message>
        <source>Cut {what}</source>
        <translation>剪切 {what}</translation>
    </message>
    <message>
        <source>Nothing was pasted.</source>
        <translation>没有粘贴任何内容。</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>Can&apos;t paste this: {why}</source>
        <translation>无法粘贴：{why}</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>Nothing was copied.</source>
        <translation>没有复制任何内容。</translation>
    </message>
    <message>
        <source>Reading the clipboard</source>
        <translation>正在读取剪贴板</translation>
    </message>
    <message>
        <source>Paste {what}</source>
        <translation>粘贴 {what}</translation>
    </message>
    <message>
        <source>Duplicate {what}</source>
        <translation>复制 {what}</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>{menu}: {choice}</source>
        <translation>{menu}：{choice}</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>键入命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>No command is called that</source>
        <translation>没有这样的命令</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>The values that the graph had saved are freed on the way.</source>
        <translation>图中保存的值沿途被释放。</translation>
    </message>
    <message>
        <source>The saved values stay, so that backward can run again.</source>
        <translation>保存的值被留下，因此可以再次反向传播。</translation>
    </message>
    <message>
        <source>The backward itself is recorded, and the saved values stay, too.</source>
        <translation>反向传播本身被记录下来，保存的值也会留下。</translation>
    </message>
    <message>
        <source>The gradient is a number like any other: it has no grad_fn.</source>
        <translation>梯度只是普通的数：没有 grad_fn。</translation>
    </message>
    <message>
        <source>The gradient has a grad_fn: it can be differentiated.</source>
        <translation>梯度带有 grad_fn：可以继续求导。</translation>
    </message>
    <message>
        <source>The grad_fn is that of the .grad from before, to which this was added in place.</source>
        <translation>这个 grad_fn 属于先前的 .grad：新的梯度原地加到了它上面。</translation>
    </message>
</context>
<context>
    <name>CompareWindow</name>
    <message>
        <source>The line that was compared is gone.</source>
        <translation>被比较的那一行已不存在。</translation>
    </message>
    <message>
        <source>retain_graph and create_graph, side by side</source>
        <translation>并排比较 retain_graph 与 create_graph</translation>
    </message>
    <message>
        <source>Saved by the graph it went through: {n} values, {kept} kept.</source>
        <translation>所经过的图保存了 {n} 个值，其中 {kept} 个仍保留。</translation>
    </message>
    <message>
        <source>The gradient&apos;s own graph: {n} nodes.</source>
        <translation>梯度自己的计算图：{n} 个节点。</translation>
    </message>
    <message>
        <source>works: the gradient can be differentiated again.</source>
        <translation>可行：梯度可以再次求导。</translation>
    </message>
</context>
<context>
    <name>ContourPlot</name>
    <message>
        <source>{across} and {up} go from {begin} to {end}; {height} is least, {least}, at {place}</source>
        <translation>{across} 和 {up} 从 {begin} 到 {end}；{height} 在 {place} 处最小，为 {least}</translation>
    </message>
</context>
<context>
    <name>Cut</name>
    <message>
        <source>Cut a wire</source>
        <translation>剪断一条连线</translation>
    </message>
    <message>
        <source>Cut {n} wires</source>
        <translation>剪断 {n} 条连线</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>{name} is there already. Replace it?</source>
        <translation>已经有 {name} 了。要替换它吗？</translation>
    </message>
</context>
<context>
    <name>DifferenceTable</name>
    <message>
        <source>Running the program again...</source>
        <translation>正在重新运行程序…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Go to the end of the line first: its backward is under way.</source>
        <translation>请先到这一行的末尾：它的反向传播正在进行。</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>quotient</source>
        <translation>差商</translation>
    </message>
    <message>
        <source>Finite differences</source>
        <translation>有限差分</translation>
    </message>
    <message>
        <source>kink</source>
        <translation>尖点</translation>
    </message>
    <message>
        <source>They agree to four digits.</source>
        <translation>二者在四位有效数字内一致。</translation>
    </message>
    <message>
        <source>They differ: see the rows marked ✗.</source>
        <translation>二者不一致：见标有 ✗ 的行。</translation>
    </message>
    <message>
        <source>Looked at {shown} of {count} elements, evenly spread.</source>
        <translation>检查了 {count} 个元素中均匀分布的 {shown} 个。</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Operators</source>
        <translation>算子面板</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>属性面板</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Autograd</source>
        <translation>自动求导</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Delete {what}</source>
        <translation>删除 {what}</translation>
    </message>
    <message>
        <source>Go on past the error</source>
        <translation>越过错误继续</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Run forward again</source>
        <translation>再算一遍前向</translation>
    </message>
    <message>
        <source>Remove hook</source>
        <translation>移除钩子</translation>
    </message>
    <message>
        <source>Also deleted: {lines}</source>
        <translation>一并删除：{lines}</translation>
    </message>
    <message>
        <source>Left with an open port: {names}</source>
        <translation>端口未连接：{names}</translation>
    </message>
    <message>
        <source>Ran again from line {line}, {n} backward included</source>
        <translation>已从第 {line} 行重新运行，含 {n} 次反向传播</translation>
    </message>
    <message>
        <source>Ran again from line {line}, {n} backwards included</source>
        <translation>已从第 {line} 行重新运行，含 {n} 次反向传播</translation>
    </message>
    <message>
        <source>Ran again from line {line}</source>
        <translation>已从第 {line} 行重新运行</translation>
    </message>
</context>
<context>
    <name>DrawAs</name>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Data-and-edges</source>
        <translation>数据与边</translation>
    </message>
    <message>
        <source>Autograd</source>
        <translation>自动求导</translation>
    </message>
    <message>
        <source>Node: an operator with its result. Edge: a tensor. PyTorch keeps only the tensors.</source>
        <translation>节点：算子及其结果；边：张量。PyTorch 里只保留张量。</translation>
    </message>
    <message>
        <source>Node: a tensor. Edge: an operator. A PyTorch tensor knows its grad_fn, not its inputs.</source>
        <translation>节点：张量；边：算子。PyTorch 的张量只知道自己的 grad_fn，不知道自己的输入。</translation>
    </message>
    <message>
        <source>Node: a tensor or a Function. Edge: grad_fn, next_functions. This is what PyTorch has.</source>
        <translation>节点：张量或反向函数；边：grad_fn 与 next_functions。PyTorch 里实际有的就是这些。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Draw as:</source>
        <translation>画法：</translation>
    </message>
</context>
<context>
    <name>Editing</name>
    <message>
        <source>This operator has no attributes</source>
        <translation>这个算子没有属性</translation>
    </message>
</context>
<context>
    <name>EnginePanel</name>
    <message>
        <source>Nodes of the backward</source>
        <translation>本次反向传播的节点</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Only what this backward came to was recorded: its steps would have been too many.</source>
        <translation>这次反向传播只记录了结果：逐步记录的事件会太多。</translation>
    </message>
    <message>
        <source>No backward has run yet: there is nothing for the engine to do.</source>
        <translation>还没有执行过反向传播：引擎无事可做。</translation>
    </message>
    <message>
        <source>The cursor stands outside of a backward.</source>
        <translation>光标不在反向传播之中。</translation>
    </message>
    <message>
        <source>Step into {code}</source>
        <translation>步入 {code}</translation>
    </message>
    <message>
        <source>Now all paths to {node} have come together: its gradient is the sum, and it may run.</source>
        <translation>到 {node} 的各条路径都已汇合：它的梯度就是这个和，现在可以执行了。</translation>
    </message>
    <message>
        <source>{node} has to wait for {others}. If it ran now, it would pass on only a part of its gradient and have to run again. So a node runs only after all that send to it: in topological order.</source>
        <translation>{node} 必须等待 {others}。若现在就执行，它只会传出一部分梯度，之后还得再执行一次。所以一个节点要等所有向它发送梯度的节点都执行之后才执行：这就是拓扑顺序。</translation>
    </message>
    <message>
        <source>{node} has to wait for {others}: the sum over all paths is what is added to .grad. So a node runs only after all that send to it: in topological order.</source>
        <translation>{node} 必须等待 {others}：加到 .grad 上的是所有路径之和。所以一个节点要等所有向它发送梯度的节点都执行之后才执行：这就是拓扑顺序。</translation>
    </message>
</context>
<context>
    <name>EngineRows</name>
    <message>
        <source>At work</source>
        <translation>正在执行</translation>
    </message>
    <message>
        <source>Ready queue ({n})</source>
        <translation>就绪队列（{n}）</translation>
    </message>
    <message>
        <source>Waiting ({n})</source>
        <translation>等待中（{n}）</translation>
    </message>
    <message>
        <source>To come ({n})</source>
        <translation>尚未到达（{n}）</translation>
    </message>
    <message>
        <source>Done ({n})</source>
        <translation>已完成（{n}）</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 个</translation>
    </message>
    <message>
        <source>waits for {n} more: from {nodes}</source>
        <translation>还差 {n} 个，来自 {nodes}</translation>
    </message>
    <message>
        <source>needs {n}: from {nodes}</source>
        <translation>需要 {n} 个，来自 {nodes}</translation>
    </message>
    <message>
        <source>all has come: it goes into the queue</source>
        <translation>已全部到齐，即将进入队列</translation>
    </message>
    <message>
        <source>gets {gradient}</source>
        <translation>收到 {gradient}</translation>
    </message>
    <message>
        <source>no gradient came</source>
        <translation>没有梯度到达</translation>
    </message>
    <message>
        <source>{gradient} taken by autograd.grad</source>
        <translation>{gradient} 被 autograd.grad 取走</translation>
    </message>
    <message>
        <source>{gradients} · freed</source>
        <translation>{gradients} · 已释放</translation>
    </message>
</context>
<context>
    <name>EventPill</name>
    <message>
        <source>{gradient}: nothing is added</source>
        <translation>{gradient}：什么也不加</translation>
    </message>
    <message>
        <source>frees {names}</source>
        <translation>释放 {names}</translation>
    </message>
</context>
<context>
    <name>Events</name>
    <message>
        <source>{tensors} is made</source>
        <translation>新建 {tensors}</translation>
    </message>
    <message>
        <source>{node} is recorded</source>
        <translation>记录 {node}</translation>
    </message>
    <message>
        <source>{node} saves {names}</source>
        <translation>{node} 保存 {names}</translation>
    </message>
    <message>
        <source>{tensors} is written in place</source>
        <translation>{tensors} 被原地写入</translation>
    </message>
    <message>
        <source>attributes of {tensors} change</source>
        <translation>{tensors} 的属性改变</translation>
    </message>
    <message>
        <source>backward begins at {tensors} with {incoming}</source>
        <translation>反向传播从 {tensors} 开始，传入 {incoming}</translation>
    </message>
    <message>
        <source>{node} is ready</source>
        <translation>{node} 就绪</translation>
    </message>
    <message>
        <source>hook {names} at {node}: {incoming} → {outgoing}</source>
        <translation>{node} 处的钩子 {names}：{incoming} → {outgoing}</translation>
    </message>
    <message>
        <source>{node}: {incoming} → {outgoing}</source>
        <translation>{node}：{incoming} → {outgoing}</translation>
    </message>
    <message>
        <source>paths join at {node}: + {incoming} = {outgoing}</source>
        <translation>各路径在 {node} 汇合：+ {incoming} = {outgoing}</translation>
    </message>
    <message>
        <source>autograd.grad takes {incoming} for {tensors}</source>
        <translation>autograd.grad 取走 {tensors} 的梯度 {incoming}</translation>
    </message>
    <message>
        <source>{node} gets {incoming} and adds nothing</source>
        <translation>{node} 收到 {incoming}，什么也不加</translation>
    </message>
    <message>
        <source>{owner}.grad += {incoming}, kept by retain_grad</source>
        <translation>{owner}.grad += {incoming}，由 retain_grad 保留</translation>
    </message>
    <message>
        <source>{node} frees {saved}</source>
        <translation>{node} 释放 {saved}</translation>
    </message>
    <message>
        <source>backward ends</source>
        <translation>反向传播结束</translation>
    </message>
    <message>
        <source>the line has its result</source>
        <translation>该行得到结果</translation>
    </message>
    <message>
        <source>the line is over</source>
        <translation>该行结束</translation>
    </message>
    <message>
        <source>{owner}.grad = {incoming}, the first</source>
        <translation>{owner}.grad = {incoming}，首次写入</translation>
    </message>
    <message>
        <source>{owner}.grad = {incoming}, kept by retain_grad</source>
        <translation>{owner}.grad = {incoming}，由 retain_grad 保留</translation>
    </message>
    <message>
        <source>prints {text}</source>
        <translation>打印 {text}</translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>{node} of line {line}</source>
        <translation>{node} (第 {line} 行)</translation>
    </message>
    <message>
        <source>{node} of {term}, line {line}</source>
        <translation>{node} (第 {line} 行的 {term})</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>the whole graph</source>
        <translation>整个计算图</translation>
    </message>
    <message>
        <source>the selection</source>
        <translation>所选部分</translation>
    </message>
    <message>
        <source>no background</source>
        <translation>透明背景</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Draw as</source>
        <translation>画法</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Blackboard</source>
        <translation>黑板</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Colour-blind safe</source>
        <translation>色盲友好</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Writing {name}</source>
        <translation>正在写入“{name}”</translation>
    </message>
    <message>
        <source>The picture was not copied: it was given up.</source>
        <translation>未复制图片：已放弃。</translation>
    </message>
    <message>
        <source>Copying the picture</source>
        <translation>正在复制图片</translation>
    </message>
    <message>
        <source>Copied the picture</source>
        <translation>已复制图片</translation>
    </message>
    <message>
        <source>{name} was not written: it was given up.</source>
        <translation>未写入“{name}”：已放弃。</translation>
    </message>
</context>
<context>
    <name>FactRows</name>
    <message>
        <source>history</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Who wrote it, who saved which version, and who read it</source>
        <translation>谁改写了它、谁保存了哪个版本、谁又读取了它</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>All that is saved for a backward, and how much memory that takes</source>
        <translation>为反向保存的全部内容，以及占用多少内存</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Click to reveal</source>
        <translation>点击显示</translation>
    </message>
    <message>
        <source>covered gradient of {name}</source>
        <translation>{name} 被遮住的梯度</translation>
    </message>
    <message>
        <source>why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>Is the gradient right? Finite differences beside it</source>
        <translation>梯度对吗？在旁边显示有限差分</translation>
    </message>
    <message>
        <source>finite differences</source>
        <translation>有限差分</translation>
    </message>
    <message>
        <source>The chain rule, with the numbers of this program</source>
        <translation>链式法则，代入这个程序里的数</translation>
    </message>
    <message>
        <source>why is the gradient of {name} what it is?</source>
        <translation>{name} 的梯度为什么是这个值？</translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>freed</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>leaf</source>
        <translation>叶子节点</translation>
    </message>
    <message>
        <source>intermediate</source>
        <translation>中间节点</translation>
    </message>
    <message>
        <source>{value} (line {line})</source>
        <translation>{value} (第 {line} 行)</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Only the call of a function that makes a tensor can stand here</source>
        <translation>这里只能写生成张量的函数调用</translation>
    </message>
    <message>
        <source>A Python number or the name of a tensor goes here</source>
        <translation>这里应为 Python 数或张量的名称</translation>
    </message>
    <message>
        <source>A loop has from 1 to {most} rounds</source>
        <translation>循环的轮数应在 1 到 {most} 之间</translation>
    </message>
</context>
<context>
    <name>Filing</name>
    <message>
        <source>Documents and PyTorch code (*.chalk *.py *.ipynb)</source>
        <translation>文档和 PyTorch 代码 (*.chalk *.py *.ipynb)</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Can&apos;t open {name}</source>
        <translation>无法打开 {name}</translation>
    </message>
    <message>
        <source>{name} (copy)</source>
        <translation>{name}（副本）</translation>
    </message>
    <message>
        <source>Chalkgrad document (*.chalk)</source>
        <translation>Chalkgrad 文档 (*.chalk)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>{name} has changes that are not saved.</source>
        <translation>{name} 有尚未保存的修改。</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>PyTorch code (*.py)</source>
        <translation>PyTorch 代码 (*.py)</translation>
    </message>
    <message>
        <source>Export PyTorch code</source>
        <translation>导出 PyTorch 代码</translation>
    </message>
    <message>
        <source>Chalkgrad ended unexpectedly. Open what was not saved?</source>
        <translation>Chalkgrad 上次意外退出。要打开未保存的内容吗？</translation>
    </message>
    <message>
        <source>Recovery</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Can&apos;t recover {name}</source>
        <translation>无法恢复 {name}</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>正在打开 {name}</translation>
    </message>
    <message>
        <source>Opening was cancelled.</source>
        <translation>已取消打开。</translation>
    </message>
    <message>
        <source>Saving {name}</source>
        <translation>正在保存“{name}”</translation>
    </message>
    <message>
        <source>{name} was not saved: it was given up.</source>
        <translation>未保存“{name}”：已放弃。</translation>
    </message>
    <message>
        <source>Can&apos;t write {name}</source>
        <translation>无法写入 {name}</translation>
    </message>
    <message>
        <source>Wrote {path}</source>
        <translation>已写入 {path}</translation>
    </message>
    <message>
        <source>{name} is gone from the disk</source>
        <translation>{name} 已不在磁盘上</translation>
    </message>
    <message>
        <source>{name} was changed by another program. Read it again?</source>
        <translation>{name} 已被其他程序修改。要重新读取吗？</translation>
    </message>
    <message>
        <source>Changed on disk</source>
        <translation>文件已被修改</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Can&apos;t keep a copy for recovery: {why}</source>
        <translation>无法保存用于恢复的副本：{why}</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Name, operator, line or shape</source>
        <translation>名称、算子、行号或形状</translation>
    </message>
    <message>
        <source>Find a card</source>
        <translation>查找卡片</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>上一个（Shift+F3）</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>下一个（F3）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>{at} of {n}</source>
        <translation>第 {at} 个，共 {n} 个</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>没有找到</translation>
    </message>
</context>
<context>
    <name>Guess</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>直接看</translation>
    </message>
    <message>
        <source>The program is still running...</source>
        <translation>程序还在运行…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>its saved values were freed by an earlier backward</source>
        <translation>它保存的值已被先前的反向传播释放</translation>
    </message>
    <message>
        <source>a saved tensor was changed in place since</source>
        <translation>保存的张量后来被原地修改了</translation>
    </message>
    <message>
        <source>there is no graph: nothing requires grad</source>
        <translation>没有计算图：没有张量需要梯度</translation>
    </message>
    <message>
        <source>it starts from several numbers, without weights</source>
        <translation>它从多个数出发，却没有给权重</translation>
    </message>
    <message>
        <source>the weights have another shape</source>
        <translation>权重的形状不对</translation>
    </message>
    <message>
        <source>one of its inputs is not in the graph</source>
        <translation>它的某个输入不在计算图里</translation>
    </message>
    <message>
        <source>a number, [1., 2.] or None</source>
        <translation>一个数、[1., 2.] 或 None</translation>
    </message>
    <message>
        <source>What is {name}?</source>
        <translation>{name} 是多少？</translation>
    </message>
    <message>
        <source>What kind of tensor is {name}?</source>
        <translation>{name} 是什么样的张量？</translation>
    </message>
    <message>
        <source>It runs</source>
        <translation>能运行</translation>
    </message>
    <message>
        <source>It fails</source>
        <translation>会出错</translation>
    </message>
    <message>
        <source>Why it fails</source>
        <translation>出错的原因</translation>
    </message>
    <message>
        <source>It fails because ...</source>
        <translation>会出错，因为…</translation>
    </message>
    <message>
        <source>Will line {line} fail?</source>
        <translation>第 {line} 行会出错吗？</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>What was done</source>
        <translation>做过的操作</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>刚打开时</translation>
    </message>
</context>
<context>
    <name>Hovering</name>
    <message>
        <source>This formula can&apos;t be read</source>
        <translation>这个公式无法识别</translation>
    </message>
    <message>
        <source>Double click opens it</source>
        <translation>双击展开</translation>
    </message>
    <message>
        <source>click to type a number, or drag a wire here</source>
        <translation>点击可键入数，也可把连线拖到这里</translation>
    </message>
</context>
<context>
    <name>InlineEditor</name>
    <message>
        <source>Rounds of the loop</source>
        <translation>循环的轮数</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Edit value</source>
        <translation>修改值</translation>
    </message>
    <message>
        <source>Edit operand</source>
        <translation>编辑操作数</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>编辑便签</translation>
    </message>
    <message>
        <source>Edit title</source>
        <translation>编辑标题</translation>
    </message>
    <message>
        <source>Edit label</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Ctrl+Enter ends, Esc gives up. Tables and printed arrays can be pasted.</source>
        <translation>Ctrl+Enter 完成，Esc 取消。可以粘贴表格或打印出来的数组。</translation>
    </message>
    <message>
        <source>Ctrl+Enter or Esc ends. Ctrl+B: bold, Ctrl+I: italic, Ctrl+E: code, Tab: moves a point in.</source>
        <translation>按 Ctrl+Enter 或 Esc 结束。Ctrl+B：粗体，Ctrl+I：斜体，Ctrl+E：代码，Tab：缩进列表项。</translation>
    </message>
    <message>
        <source>Text, # title, - list, **bold**, `code`, $formula$</source>
        <translation>文字、# 标题、- 列表、**粗体**、`代码`、$公式$</translation>
    </message>
    <message>
        <source>2 or x</source>
        <translation>2 或 x</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Waiting: a port is open.</source>
        <translation>等待中：有端口未连接。</translation>
    </message>
    <message>
        <source>Not reached: a line before it failed.</source>
        <translation>未执行到：前面有一行出错了。</translation>
    </message>
    <message>
        <source>To come: it stands after the line looked at.</source>
        <translation>待执行：它排在当前所看的行之后。</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>属性面板</translation>
    </message>
    <message>
        <source>... and {n} more</source>
        <translation>… 还有 {n} 个</translation>
    </message>
    <message>
        <source>Select a card or a line to see everything about it.</source>
        <translation>选中一张卡片或一行语句，在这里查看它的全部信息。</translation>
    </message>
    <message>
        <source>Copy everything shown as text</source>
        <translation>把显示的内容复制为文本</translation>
    </message>
    <message>
        <source>Show who wrote, saved and read it</source>
        <translation>查看改写者、保存者和读取者</translation>
    </message>
    <message>
        <source>Its versions, with the lines and cards at fault</source>
        <translation>它的版本历史，以及出问题的语句和卡片</translation>
    </message>
</context>
<context>
    <name>Joining</name>
    <message>
        <source>Put {what} into a wire</source>
        <translation>将 {what} 插入连线</translation>
    </message>
    <message>
        <source>Move and wire {what}</source>
        <translation>移动 {what} 并连线</translation>
    </message>
    <message>
        <source>Pull out {what}</source>
        <translation>将 {what} 从连线中取出</translation>
    </message>
</context>
<context>
    <name>KeyList</name>
    <message>
        <source>Search a key or what it does</source>
        <translation>搜索按键或其作用</translation>
    </message>
    <message>
        <source>No key is called that, and none does that</source>
        <translation>没有这样的按键，也没有按键有这个作用</translation>
    </message>
</context>
<context>
    <name>Keyboard</name>
    <message>
        <source>Move {what}</source>
        <translation>移动 {what}</translation>
    </message>
    <message>
        <source>Select a card first: the wire begins at its value.</source>
        <translation>请先选中一张卡片：连线从它的值开始。</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Cards and the program</source>
        <translation>卡片与程序</translation>
    </message>
    <message>
        <source>With the mouse</source>
        <translation>用鼠标</translation>
    </message>
</context>
<context>
    <name>KnownNames</name>
    <message>
        <source>Wire this tensor to the input</source>
        <translation>把这个张量连到输入</translation>
    </message>
    <message>
        <source>Go to this tensor</source>
        <translation>转到这个张量</translation>
    </message>
</context>
<context>
    <name>LossMap</name>
    <message>
        <source>Loss over two parameters</source>
        <translation>两个参数上的损失</translation>
    </message>
    <message>
        <source>A map of the loss, with the way that the rounds go on it</source>
        <translation>损失的等高图，以及各轮训练在上面走过的路径</translation>
    </message>
    <message>
        <source>across</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>up</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Parameter across</source>
        <translation>横轴参数</translation>
    </message>
    <message>
        <source>Parameter up</source>
        <translation>纵轴参数</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Working it out...</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Move the focus along wires</source>
        <translation>沿连线移动焦点</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Shift+方向键</translation>
    </message>
    <message>
        <source>Select along wires</source>
        <translation>沿连线选中</translation>
    </message>
    <message>
        <source>Ctrl+arrows</source>
        <translation>Ctrl+方向键</translation>
    </message>
    <message>
        <source>Move the selected cards</source>
        <translation>移动选中的卡片</translation>
    </message>
    <message>
        <source>Ctrl+Shift+arrows</source>
        <translation>Ctrl+Shift+方向键</translation>
    </message>
    <message>
        <source>Move them by one unit</source>
        <translation>移动一个单位</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>放大或缩小</translation>
    </message>
    <message>
        <source>Menu of the card</source>
        <translation>卡片的菜单</translation>
    </message>
    <message>
        <source>Move lines in the program</source>
        <translation>在程序中上下移动语句</translation>
    </message>
    <message>
        <source>Unfold a backward in the program, or fold it</source>
        <translation>在程序列表中展开或折叠一次反向传播</translation>
    </message>
    <message>
        <source>Letters on an empty canvas</source>
        <translation>空白画布上的字母键</translation>
    </message>
    <message>
        <source>Space+drag</source>
        <translation>空格+拖动</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移画布</translation>
    </message>
    <message>
        <source>Drag a frame by its title or its edge</source>
        <translation>拖动框的标题或边缘</translation>
    </message>
    <message>
        <source>Move it with all that lies in it</source>
        <translation>连同框内的一切一起移动</translation>
    </message>
    <message>
        <source>Alt+drag</source>
        <translation>Alt+拖动</translation>
    </message>
    <message>
        <source>Copy cards with their wires</source>
        <translation>复制卡片及其连线</translation>
    </message>
    <message>
        <source>Drag, then Alt</source>
        <translation>拖动中按 Alt</translation>
    </message>
    <message>
        <source>Pull cards out of their wires</source>
        <translation>将卡片从连线中取出</translation>
    </message>
    <message>
        <source>Ctrl+Alt+drag</source>
        <translation>Ctrl+Alt+拖动</translation>
    </message>
    <message>
        <source>Cut wires with a stroke (the right button does so too)</source>
        <translation>划线剪断连线（右键拖动亦可）</translation>
    </message>
    <message>
        <source>Next or previous card; elsewhere field or button</source>
        <translation>下一张或上一张卡片；别处为输入框或按钮</translation>
    </message>
    <message>
        <source>Open the list or menu of a field or button</source>
        <translation>打开输入框的列表或按钮的菜单</translation>
    </message>
    <message>
        <source>Type an expression; A lists all operators</source>
        <translation>输入表达式；A 列出所有算子</translation>
    </message>
    <message>
        <source>Drag with Ctrl</source>
        <translation>按住 Ctrl 拖动</translation>
    </message>
    <message>
        <source>Nothing attracts: no snapping, no joining</source>
        <translation>不吸附、不自动连线</translation>
    </message>
    <message>
        <source>Search the operators</source>
        <translation>搜索算子</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Right at once: {right} of {answered}</source>
        <translation>一次答对：{answered} 题中 {right} 题</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>● kept</source>
        <translation>● 保留</translation>
    </message>
    <message>
        <source>○ freed</source>
        <translation>○ 已释放</translation>
    </message>
    <message>
        <source>◌ dropped</source>
        <translation>◌ 已丢弃</translation>
    </message>
    <message>
        <source>Kept: no backward has freed it, and something still refers to its node</source>
        <translation>保留：还没有反向传播释放它，并且仍有引用指向它的反向节点</translation>
    </message>
    <message>
        <source>A backward has used and freed it</source>
        <translation>某次反向传播用过并释放了它</translation>
    </message>
    <message>
        <source>Nothing refers to its node any more; what that had saved has gone with it</source>
        <translation>已没有任何引用指向它的反向节点，节点保存的值随之消失</translation>
    </message>
    <message>
        <source>saved as</source>
        <translation>保存名</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>until</source>
        <translation>止于</translation>
    </message>
    <message>
        <source>{storage}, {bytes} bytes in all; saved of it: {names}</source>
        <translation>{storage}，共 {bytes} 字节；从中保存：{names}</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>saved by</source>
        <translation>保存者</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>kept only</source>
        <translation>只看保留的</translation>
    </message>
    <message>
        <source>Leave out what was freed or dropped</source>
        <translation>不显示已释放或已丢弃的</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Storages</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>What the nodes of the graph have saved for a backward</source>
        <translation>计算图的反向节点为反向传播保存的值</translation>
    </message>
    <message>
        <source>The memory in use: equal signs are the same memory</source>
        <translation>正在使用的内存：字母相同即同一存储</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
</context>
<context>
    <name>MemoryTotals</name>
    <message>
        <source>Tensors with a name: {named}. Kept for a backward alone: {nameless}, which freeing gives back.</source>
        <translation>有名字的张量：{named}。只为反向保留：{nameless}，释放后归还。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>The memory of all values that are saved; what is saved twice counts once</source>
        <translation>所有已保存的值占用的内存；同一存储只计一次</translation>
    </message>
    <message>
        <source>Worked out from the trace, had every backward kept its buffers; nothing ran for it</source>
        <translation>由运行记录推算：假设每次反向传播都保留缓存；并未实际运行</translation>
    </message>
    <message>
        <source>Worked out from the trace, had every backward freed its buffers; nothing ran for it</source>
        <translation>由运行记录推算：假设每次反向传播都释放缓存；并未实际运行</translation>
    </message>
    <message>
        <source>as it ran</source>
        <translation>实际运行</translation>
    </message>
    <message>
        <source>most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>most: {line}</source>
        <translation>最多：{line}</translation>
    </message>
    <message>
        <source>Look at the moment at which most was kept</source>
        <translation>查看占用最多的时刻</translation>
    </message>
</context>
<context>
    <name>MendMenu</name>
    <message>
        <source>There is no ready-made way to mend this</source>
        <translation>没有现成的修正办法</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Add note</source>
        <translation>添加便签</translation>
    </message>
    <message>
        <source>Quick add...</source>
        <translation>快速添加…</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>Go to {name}</source>
        <translation>转到 {name}</translation>
    </message>
    <message>
        <source>Insert operator...</source>
        <translation>插入算子…</translation>
    </message>
    <message>
        <source>Insert {tag}</source>
        <translation>插入 {tag}</translation>
    </message>
    <message>
        <source>Remove {tag}</source>
        <translation>移除 {tag}</translation>
    </message>
    <message>
        <source>Delete wire</source>
        <translation>删除连线</translation>
    </message>
    <message>
        <source>Rounds of the loop...</source>
        <translation>循环的轮数…</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>编辑便签</translation>
    </message>
    <message>
        <source>Edit title</source>
        <translation>编辑标题</translation>
    </message>
    <message>
        <source>Operator and wires</source>
        <translation>算子与连线</translation>
    </message>
    <message>
        <source>Place and frame</source>
        <translation>位置与框</translation>
    </message>
    <message>
        <source>Unwrap</source>
        <translation>取消包裹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>排列</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>Minimap</name>
    <message>
        <source>Minimap</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Click or drag to go there (M)</source>
        <translation>点击或拖动即可前往（M）</translation>
    </message>
</context>
<context>
    <name>Move</name>
    <message>
        <source>Move {what}</source>
        <translation>移动 {what}</translation>
    </message>
    <message>
        <source>Duplicate {what}</source>
        <translation>复制 {what}</translation>
    </message>
</context>
<context>
    <name>Naming</name>
    <message>
        <source>{n} cards</source>
        <translation>{n} 张卡片</translation>
    </message>
    <message>
        <source>note</source>
        <translation>便签</translation>
    </message>
    <message>
        <source>{n} notes</source>
        <translation>{n} 张便签</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>{n} frames</source>
        <translation>{n} 个框</translation>
    </message>
    <message>
        <source>{n} things</source>
        <translation>{n} 个对象</translation>
    </message>
    <message>
        <source>Change {part} of {what}</source>
        <translation>修改 {what} 的 {part}</translation>
    </message>
    <message>
        <source>Change {what}</source>
        <translation>修改 {what}</translation>
    </message>
    <message>
        <source>Change the value of {what}</source>
        <translation>修改 {what} 的值</translation>
    </message>
    <message>
        <source>Change an input of {what}</source>
        <translation>修改 {what} 的一个输入</translation>
    </message>
    <message>
        <source>Wire {source} to {what}</source>
        <translation>连线：{source} → {what}</translation>
    </message>
    <message>
        <source>Remove a wire to {what}</source>
        <translation>删除到 {what} 的连线</translation>
    </message>
    <message>
        <source>Rename {what}</source>
        <translation>重命名 {what}</translation>
    </message>
</context>
<context>
    <name>NodeFacts</name>
    <message>
        <source>left behind by {line}</source>
        <translation>由{line}留下</translation>
    </message>
    <message>
        <source>{order}, {line}: adds up what comes to {node} of {origin}</source>
        <translation>{order}，{line}：把流向{origin}的 {node} 的梯度加起来</translation>
    </message>
    <message>
        <source>{order}, {line}: made when {node} of {origin} ran</source>
        <translation>{order}，{line}：在{origin}的 {node} 运行时产生</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>numbers alone</source>
        <translation>只有数</translation>
    </message>
</context>
<context>
    <name>Nodes</name>
    <message>
        <source>No backward with create_graph=True has gone through the selected card.</source>
        <translation>还没有带 create_graph=True 的反向传播经过所选的卡片。</translation>
    </message>
    <message>
        <source>The graph of the gradient is folded: Shift+D opens it.</source>
        <translation>梯度的计算图已折叠：按 Shift+D 展开。</translation>
    </message>
    <message>
        <source>No Function belongs to the selected card.</source>
        <translation>所选的卡片没有对应的反向函数。</translation>
    </message>
    <message>
        <source>Nodes are what a run left behind: delete the line that made them instead.</source>
        <translation>节点是运行留下的：请改为删除产生它们的那一行。</translation>
    </message>
    <message>
        <source>The graph of the gradient is out of view: D goes there, Home shows all.</source>
        <translation>梯度的计算图在视野之外：按 D 转到那里，按 Home 显示全部。</translation>
    </message>
    <message>
        <source>Show the graph of the gradient</source>
        <translation>展开梯度的计算图</translation>
    </message>
    <message>
        <source>Fold the graph of the gradient</source>
        <translation>折叠梯度的计算图</translation>
    </message>
</context>
<context>
    <name>NumberSlider</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>Objects</name>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>A new tensor of this name</source>
        <translation>用这个名称新建一个张量</translation>
    </message>
    <message>
        <source>loses an input</source>
        <translation>少一个输入</translation>
    </message>
    <message>
        <source>loses {count} inputs</source>
        <translation>少 {count} 个输入</translation>
    </message>
    <message>
        <source>A tensor of zeros</source>
        <translation>全零张量</translation>
    </message>
    <message>
        <source>A tensor of ones</source>
        <translation>全一张量</translation>
    </message>
    <message>
        <source>A tensor of one number, again and again</source>
        <translation>由同一个数填满的张量</translation>
    </message>
    <message>
        <source>A matrix with ones on its diagonal</source>
        <translation>对角线为一的矩阵</translation>
    </message>
    <message>
        <source>Numbers from a start to an end, step by step</source>
        <translation>从起点到终点，按步长排列的数</translation>
    </message>
    <message>
        <source>So many numbers from a start to an end</source>
        <translation>从起点到终点，给定个数的数</translation>
    </message>
    <message>
        <source>Random numbers from 0 to 1</source>
        <translation>0 到 1 之间的随机数</translation>
    </message>
    <message>
        <source>Random numbers, normally distributed</source>
        <translation>服从正态分布的随机数</translation>
    </message>
    <message>
        <source>Random whole numbers</source>
        <translation>随机整数</translation>
    </message>
    <message>
        <source>The whole numbers below one, in random order</source>
        <translation>小于某数的非负整数，随机排列</translation>
    </message>
    <message>
        <source>A tensor whose numbers nobody has set</source>
        <translation>未初始化数值的张量</translation>
    </message>
    <message>
        <source>The same in the shape of a tensor</source>
        <translation>与某个张量同形的张量</translation>
    </message>
    <message>
        <source>Take a part out: a number, start:end, a mask ... between the brackets</source>
        <translation>取出一部分：在方括号里写序号、切片、掩码等</translation>
    </message>
    <message>
        <source>A note with text and formulas</source>
        <translation>带文字和公式的便签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>便签</translation>
    </message>
</context>
<context>
    <name>OptionsEditor</name>
    <message>
        <source>needed</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>by its values</source>
        <translation>由值决定</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>重新抽取</translation>
    </message>
    <message>
        <source>Take the next seed</source>
        <translation>换下一个随机种子</translation>
    </message>
    <message>
        <source>PyTorch needs a value here</source>
        <translation>PyTorch 要求这里有值</translation>
    </message>
    <message>
        <source>A whole number goes here</source>
        <translation>这里应为整数</translation>
    </message>
    <message>
        <source>A number goes here</source>
        <translation>这里应为数</translation>
    </message>
    <message>
        <source>A dimension goes here, or several: 0 or (0, 1)</source>
        <translation>这里应为一个或多个维：0 或 (0, 1)</translation>
    </message>
    <message>
        <source>Sizes are whole numbers: 2, 3</source>
        <translation>大小应为整数：2, 3</translation>
    </message>
    <message>
        <source>An index goes here: 0 or :, 1:</source>
        <translation>这里应为索引：0 或 :, 1:</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>Align left</source>
        <translation>左对齐</translation>
    </message>
    <message>
        <source>Align right</source>
        <translation>右对齐</translation>
    </message>
    <message>
        <source>Align top</source>
        <translation>顶部对齐</translation>
    </message>
    <message>
        <source>Align bottom</source>
        <translation>底部对齐</translation>
    </message>
    <message>
        <source>Align centres in a column</source>
        <translation>居中对齐成一列</translation>
    </message>
    <message>
        <source>Align centres in a row</source>
        <translation>居中对齐成一行</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation>无颜色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红</translation>
    </message>
    <message>
        <source>Amber</source>
        <translation>琥珀</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>青</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>水平等距分布</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>垂直等距分布</translation>
    </message>
    <message>
        <source>Colour of the frame</source>
        <translation>框的颜色</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Fold {name}</source>
        <translation>折叠 {name}</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Unfold {name}</source>
        <translation>展开 {name}</translation>
    </message>
    <message>
        <source>A note says itself what it has to say: Enter writes in it</source>
        <translation>便签本身就是文字：按 Enter 编辑</translation>
    </message>
    <message>
        <source>A label stands under one card; the frame of a block is called as its line</source>
        <translation>标签写在单张卡片下方；代码块的框以它的那一行为名</translation>
    </message>
</context>
<context>
    <name>OutputPanel</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What print() writes appears here.</source>
        <translation>print() 的输出显示在这里。</translation>
    </message>
</context>
<context>
    <name>PalettePanel</name>
    <message>
        <source>Search  /</source>
        <translation>搜索  /</translation>
    </message>
    <message>
        <source>Search operators</source>
        <translation>搜索算子</translation>
    </message>
    <message>
        <source>No operator is called that, in English or in Chinese.</source>
        <translation>没有这样的算子（中英文都查过了）。</translation>
    </message>
    <message>
        <source>Used last</source>
        <translation>最近用过</translation>
    </message>
    <message>
        <source>Common</source>
        <translation>常用</translation>
    </message>
</context>
<context>
    <name>PastBand</name>
    <message>
        <source>Looking at line {line} of {lines}. New lines go here.</source>
        <translation>正在看第 {line} 行，共 {lines} 行。新语句插在这里。</translation>
    </message>
    <message>
        <source>Looking inside line {line} of {lines}. New lines go after it.</source>
        <translation>正在看第 {line} 行内部，共 {lines} 行。新语句插在它之后。</translation>
    </message>
    <message>
        <source>Round {n} of {total}.</source>
        <translation>第 {n} 轮，共 {total} 轮。</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
</context>
<context>
    <name>Placing</name>
    <message>
        <source>Add tensor</source>
        <translation>添加张量</translation>
    </message>
    <message>
        <source>Build {text}</source>
        <translation>搭建 {text}</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>便签</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>添加便签</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>Add frame</source>
        <translation>添加框</translation>
    </message>
</context>
<context>
    <name>Playing</name>
    <message>
        <source>There is no further error that way</source>
        <translation>这个方向上没有更多错误了</translation>
    </message>
    <message>
        <source>No further gradient arrives that way</source>
        <translation>这个方向上没有更多梯度写入了</translation>
    </message>
    <message>
        <source>Nothing further is freed that way</source>
        <translation>这个方向上没有更多释放了</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>round {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>before round 1</source>
        <translation>第 1 轮之前</translation>
    </message>
    <message>
        <source>{name}: {first} in round {begin}, {last} in round {end}, least {least} in round {at}</source>
        <translation>{name}：第 {begin} 轮为 {first}，第 {end} 轮为 {last}，最小值 {least} 在第 {at} 轮</translation>
    </message>
</context>
<context>
    <name>Popover</name>
    <message>
        <source>Numbers in a grid...</source>
        <translation>用表格编辑数值…</translation>
    </message>
    <message>
        <source>Options of {name}</source>
        <translation>{name} 的选项</translation>
    </message>
</context>
<context>
    <name>ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>line {line}, {n} times</source>
        <translation>第 {line} 行，{n} 次</translation>
    </message>
</context>
<context>
    <name>ProgramPanel</name>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>First line</source>
        <translation>第一行</translation>
    </message>
    <message>
        <source>Previous line</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Next line</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>ran again {time}</source>
        <translation>{time} 重新运行</translation>
    </message>
    <message>
        <source>line {line} of {total}</source>
        <translation>第 {line} 行，共 {total} 行</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>round {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>{where}, {more}</source>
        <translation>{where}，{more}</translation>
    </message>
    <message>
        <source>event {n} of {total}</source>
        <translation>第 {n} 个事件，共 {total} 个</translation>
    </message>
    <message>
        <source>Move lines</source>
        <translation>移动语句</translation>
    </message>
    <message>
        <source>Wrap in no_grad</source>
        <translation>包进 no_grad</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>复制这一行</translation>
    </message>
    <message>
        <source>Copy all code</source>
        <translation>复制全部代码</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message>
        <source>Why is {name}.grad None?</source>
        <translation>{name}.grad 为什么是 None？</translation>
    </message>
    <message>
        <source>Why is {name} a leaf?</source>
        <translation>{name} 为什么是叶子节点？</translation>
    </message>
    <message>
        <source>Why is {name} not a leaf?</source>
        <translation>{name} 为什么不是叶子节点？</translation>
    </message>
    <message>
        <source>Why does {name} require grad?</source>
        <translation>{name} 为什么需要梯度？</translation>
    </message>
    <message>
        <source>Why does {name} not require grad?</source>
        <translation>{name} 为什么不需要梯度？</translation>
    </message>
</context>
<context>
    <name>QuickAdd</name>
    <message>
        <source>No complete expression yet</source>
        <translation>表达式还不完整</translation>
    </message>
    <message>
        <source>Nothing is called {name}; near names are listed.</source>
        <translation>没有叫 {name} 的；下面列出名称相近的。</translation>
    </message>
    <message>
        <source>Nothing is called {name}.</source>
        <translation>没有叫 {name} 的。</translation>
    </message>
    <message>
        <source>What can make this input</source>
        <translation>可作为此输入的算子或张量</translation>
    </message>
    <message>
        <source>What to put into the wire</source>
        <translation>要插入连线的算子</translation>
    </message>
    <message>
        <source>Change to</source>
        <translation>更换为</translation>
    </message>
    <message>
        <source>Quick add</source>
        <translation>快速添加</translation>
    </message>
    <message>
        <source>{name}: {asked}</source>
        <translation>{name}：{asked}</translation>
    </message>
    <message>
        <source>Enter: place    Tab: complete    Ctrl+Enter: place, then the next    Esc: close</source>
        <translation>Enter：放置    Tab：补全    Ctrl+Enter：放置并继续    Esc：关闭</translation>
    </message>
    <message>
        <source>What can follow</source>
        <translation>接下来可用的算子</translation>
    </message>
    <message>
        <source>Operator, or y = (x + w) * (w + 1)</source>
        <translation>算子，或 y = (x + w) * (w + 1)</translation>
    </message>
    <message>
        <source>What can be placed</source>
        <translation>可以放置的内容</translation>
    </message>
</context>
<context>
    <name>Redrawing</name>
    <message>
        <source>Drawing as {name}</source>
        <translation>正在画成“{name}”</translation>
    </message>
    <message>
        <source>It is drawn as before: the other drawing was given up.</source>
        <translation>仍按原来的画法显示：已放弃另一种画法。</translation>
    </message>
</context>
<context>
    <name>Resize</name>
    <message>
        <source>Resize</source>
        <translation>调整大小</translation>
    </message>
</context>
<context>
    <name>Rest</name>
    <message>
        <source>Can&apos;t paste line {line}, {text}: {why}</source>
        <translation>第 {line} 行无法粘贴（{text}）：{why}</translation>
    </message>
    <message>
        <source>Not all of it can be read</source>
        <translation>有些行读不了</translation>
    </message>
    <message>
        <source>Take the rest</source>
        <translation>只要其余的</translation>
    </message>
    <message>
        <source>... and {count} more lines</source>
        <translation>…另外还有 {count} 行</translation>
    </message>
    <message>
        <source>Take in the rest, which does not depend on it?</source>
        <translation>其余的行不依赖它们，要粘贴进来吗？</translation>
    </message>
    <message>
        <source>depends on a line that is left out</source>
        <translation>依赖被略去的行</translation>
    </message>
    <message>
        <source>Line {line}: {text}</source>
        <translation>第 {line} 行：{text}</translation>
    </message>
</context>
<context>
    <name>Rewiring</name>
    <message>
        <source>Change {what} to {name}</source>
        <translation>将 {what} 更换为 {name}</translation>
    </message>
    <message>
        <source>Select an operator with two inputs to swap them.</source>
        <translation>请先选中一个有两个输入的算子，再交换输入。</translation>
    </message>
    <message>
        <source>Swap inputs of {what}</source>
        <translation>交换 {what} 的输入</translation>
    </message>
    <message>
        <source>What is selected has no wires.</source>
        <translation>选中的内容没有连线。</translation>
    </message>
    <message>
        <source>Delete and reconnect {what}</source>
        <translation>删除 {what} 并接通连线</translation>
    </message>
    <message>
        <source>Pull out {what}</source>
        <translation>将 {what} 从连线中取出</translation>
    </message>
    <message>
        <source>Disconnect {what}</source>
        <translation>断开 {what} 的连线</translation>
    </message>
</context>
<context>
    <name>Running</name>
    <message>
        <source>Rounds run</source>
        <translation>循环正在运行</translation>
    </message>
    <message>
        <source>Progress of the loop</source>
        <translation>循环的进度</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Let the loop wait after this round; Train &gt; Run all rounds goes on</source>
        <translation>让循环在这一轮之后停下；用“训练 &gt; 跑完所有轮”继续</translation>
    </message>
</context>
<context>
    <name>Scrubber</name>
    <message>
        <source>line {line}: {event}</source>
        <translation>第 {line} 行：{event}</translation>
    </message>
</context>
<context>
    <name>Shapes</name>
    <message>
        <source>At most {n} dimensions go here</source>
        <translation>这里最多 {n} 个维度</translation>
    </message>
    <message>
        <source>{n} numbers can&apos;t be divided so</source>
        <translation>{n} 个数不能这样分</translation>
    </message>
    <message>
        <source>A single number can&apos;t be divided so</source>
        <translation>单个数不能这样划分</translation>
    </message>
    <message>
        <source>{count} numbers are too many: at most {most} are made here</source>
        <translation>{count} 个数太多了：这里最多生成 {most} 个</translation>
    </message>
    <message>
        <source>Too many numbers: at most {most} are made here</source>
        <translation>数太多了：这里最多生成 {most} 个</translation>
    </message>
    <message>
        <source>A shape is whole numbers from 1 on: 2, 3</source>
        <translation>形状由不小于 1 的整数组成：2, 3</translation>
    </message>
</context>
<context>
    <name>SliceBoxes</name>
    <message>
        <source>Index in dimension {dim}: 0 to {last}</source>
        <translation>维度 {dim} 的下标：0 到 {last}</translation>
    </message>
</context>
<context>
    <name>Slicing</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Leave everything as it was (Esc)</source>
        <translation>保持原样（Esc）</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Type an expression</source>
        <translation>键入一个表达式</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>or drag a tensor here from the left</source>
        <translation>或从左边把张量拖到这里</translation>
    </message>
    <message>
        <source>A lists all operators</source>
        <translation>A 列出所有算子</translation>
    </message>
    <message>
        <source>Open the course example</source>
        <translation>打开课程例子</translation>
    </message>
    <message>
        <source>Course example</source>
        <translation>课程例子</translation>
    </message>
    <message>
        <source>Open a .py or .chalk</source>
        <translation>打开 .py 或 .chalk</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>打开文件</translation>
    </message>
</context>
<context>
    <name>StepField</name>
    <message>
        <source>One less</source>
        <translation>减一</translation>
    </message>
    <message>
        <source>One more</source>
        <translation>加一</translation>
    </message>
</context>
<context>
    <name>StopBand</name>
    <message>
        <source>The script stops at line {line}, as Python does. What comes after it was not reached.</source>
        <translation>脚本在第 {line} 行停下，与 Python 一样；之后的语句未执行到。</translation>
    </message>
    <message>
        <source>Stopped at line {line}</source>
        <translation>停在第 {line} 行</translation>
    </message>
    <message>
        <source>Mend...</source>
        <translation>修正…</translation>
    </message>
    <message>
        <source>Go on past it</source>
        <translation>继续往下运行</translation>
    </message>
</context>
<context>
    <name>Tables</name>
    <message>
        <source>Numbers are left out of this text</source>
        <translation>这段文字省略了一些数</translation>
    </message>
    <message>
        <source>There are no numbers in it</source>
        <translation>里面没有数</translation>
    </message>
    <message>
        <source>{text} is no number</source>
        <translation>{text} 不是数</translation>
    </message>
    <message>
        <source>{dtype} holds {least} to {most}</source>
        <translation>{dtype} 的范围是 {least} 到 {most}</translation>
    </message>
    <message>
        <source>{dtype} holds whole numbers</source>
        <translation>{dtype} 只能存整数</translation>
    </message>
    <message>
        <source>The first row holds no numbers ({text}): copy those below it</source>
        <translation>第一行没有数（{text}）：请只复制下面的行</translation>
    </message>
    <message>
        <source>Row {n} has length {here}, the first has length {first}</source>
        <translation>第 {n} 行长度为 {here}，第一行长度为 {first}</translation>
    </message>
    <message>
        <source>The rows are not equally long</source>
        <translation>各行长度不同</translation>
    </message>
</context>
<context>
    <name>TensorGrid</name>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清零</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select the cells to be filled, too: drag, Shift+arrows, or Ctrl+A</source>
        <translation>请把要填充的单元格也选中：拖动、Shift+方向键或 Ctrl+A</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>Pasting</source>
        <translation>正在粘贴</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Insert row</source>
        <translation>插入行</translation>
    </message>
    <message>
        <source>Insert column</source>
        <translation>插入列</translation>
    </message>
    <message>
        <source>Delete rows</source>
        <translation>删除行</translation>
    </message>
    <message>
        <source>Delete columns</source>
        <translation>删除列</translation>
    </message>
</context>
<context>
    <name>TensorModel</name>
    <message>
        <source>Edit number</source>
        <translation>修改数值</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Insert row</source>
        <translation>插入行</translation>
    </message>
    <message>
        <source>Insert column</source>
        <translation>插入列</translation>
    </message>
    <message>
        <source>One row and one column have to stay</source>
        <translation>至少要留一行一列</translation>
    </message>
    <message>
        <source>Delete rows</source>
        <translation>删除行</translation>
    </message>
    <message>
        <source>Delete columns</source>
        <translation>删除列</translation>
    </message>
    <message>
        <source>Change shape</source>
        <translation>改变形状</translation>
    </message>
</context>
<context>
    <name>TensorsPanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>By name, value, shape, dtype, grad_fn, leaf or intermediate</source>
        <translation>按名称、值、形状、dtype、grad_fn、叶子节点或中间节点</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
</context>
<context>
    <name>Tidying</name>
    <message>
        <source>Keep in place</source>
        <translation>固定位置</translation>
    </message>
    <message>
        <source>Let tidying move it</source>
        <translation>允许整理时移动</translation>
    </message>
    <message>
        <source>Tidying was cancelled.</source>
        <translation>已取消整理布局。</translation>
    </message>
    <message>
        <source>Tidying was given up: the document was edited meanwhile.</source>
        <translation>整理布局已放弃：其间文档被编辑。</translation>
    </message>
    <message>
        <source>Tidying failed: no layout was found in time.</source>
        <translation>整理布局失败：未能及时算出布局。</translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation>整理布局</translation>
    </message>
</context>
<context>
    <name>Tile</name>
    <message>
        <source>A leaf that does not require grad</source>
        <translation>不需要梯度的叶子节点</translation>
    </message>
    <message>
        <source>A leaf that requires grad</source>
        <translation>需要梯度的叶子节点</translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Previous event</source>
        <translation>上一个事件</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>下一个事件</translation>
    </message>
    <message>
        <source>Events of the whole run</source>
        <translation>整次运行的事件</translation>
    </message>
    <message>
        <source>Events in a second</source>
        <translation>每秒事件数</translation>
    </message>
    <message>
        <source>{n}/s</source>
        <translation>{n}/秒</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play through the events</source>
        <translation>逐个播放事件</translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message>
        <source>The loop waits after round {n} of {total}: Train &gt; Run all rounds goes on</source>
        <translation>循环停在第 {n} 轮之后，共 {total} 轮；用“训练 &gt; 跑完所有轮”继续</translation>
    </message>
</context>
<context>
    <name>TrainingFacts</name>
    <message>
        <source>remembers of {name}: {facts}</source>
        <translation>为 {name} 记住：{facts}</translation>
    </message>
    <message>
        <source>{name} stays as it is: its grad is None</source>
        <translation>{name} 不变：它的 grad 是 None</translation>
    </message>
    <message>
        <source>{name}: {before} changed by {change} to {after}</source>
        <translation>{name}：{before} 改变 {change}，变为 {after}</translation>
    </message>
</context>
<context>
    <name>TrainingForm</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Zero the gradients in each round</source>
        <translation>每一轮都把梯度清零</translation>
    </message>
    <message>
        <source>Make the training loop</source>
        <translation>生成训练循环</translation>
    </message>
    <message>
        <source>A loop runs forward, backward and update again and again, and the loss is plotted.</source>
        <translation>循环反复做前向计算、反向传播和参数更新，并画出损失曲线。</translation>
    </message>
    <message>
        <source>There is nothing to train yet: make a result that depends on a tensor that requires grad.</source>
        <translation>还没有可以训练的东西：请先做出一个依赖于需要梯度的张量的结果。</translation>
    </message>
    <message>
        <source>Training loop</source>
        <translation>训练循环</translation>
    </message>
</context>
<context>
    <name>TrainingPanel</name>
    <message>
        <source>Start over: run from the start, and wait before the first round</source>
        <translation>重新开始：从头运行，停在第一轮之前</translation>
    </message>
    <message>
        <source>Previous round</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>Next round</source>
        <translation>下一轮</translation>
    </message>
    <message>
        <source>Run all rounds that are left</source>
        <translation>跑完剩下的所有轮</translation>
    </message>
    <message>
        <source>Rounds in a second</source>
        <translation>每秒多少轮</translation>
    </message>
    <message>
        <source>{n}/s</source>
        <translation>{n}/秒</translation>
    </message>
    <message>
        <source>Powers of ten upwards</source>
        <translation>纵轴用对数刻度</translation>
    </message>
    <message>
        <source>Loss, round by round</source>
        <translation>每一轮的损失</translation>
    </message>
    <message>
        <source>Parameters, round by round</source>
        <translation>每一轮的参数</translation>
    </message>
    <message>
        <source>Nothing zeroes the gradients: by now {n} of them are added up in {names}.</source>
        <translation>梯度没有清零：{names} 里已经累加了 {n} 次反向传播的梯度。</translation>
    </message>
    <message>
        <source>Insert this before the backward</source>
        <translation>把这一行插到反向传播之前</translation>
    </message>
    <message>
        <source>Another training loop</source>
        <translation>再做一个训练循环</translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>round {n} of {total}</source>
        <translation>第 {n} 轮，共 {total} 轮</translation>
    </message>
    <message>
        <source>runs: round {n} of {total}</source>
        <translation>正在运行：第 {n} 轮，共 {total} 轮</translation>
    </message>
    <message>
        <source>waits after round {n} of {total}</source>
        <translation>停在第 {n} 轮之后，共 {total} 轮</translation>
    </message>
    <message>
        <source>waits before round 1 of {total}</source>
        <translation>停在第 1 轮之前，共 {total} 轮</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play round by round</source>
        <translation>逐轮播放</translation>
    </message>
    <message>
        <source>Zero the gradients in each round</source>
        <translation>每一轮都把梯度清零</translation>
    </message>
    <message>
        <source>Copy the numbers (CSV)</source>
        <translation>复制数值（CSV）</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>复制图片</translation>
    </message>
</context>
<context>
    <name>ValueWindow</name>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Grey map</source>
        <translation>灰度图</translation>
    </message>
    <message>
        <source>+ Row</source>
        <translation>+ 行</translation>
    </message>
    <message>
        <source>Insert row</source>
        <translation>插入行</translation>
    </message>
    <message>
        <source>+ Column</source>
        <translation>+ 列</translation>
    </message>
    <message>
        <source>Insert column</source>
        <translation>插入列</translation>
    </message>
    <message>
        <source>- Row</source>
        <translation>- 行</translation>
    </message>
    <message>
        <source>Delete rows</source>
        <translation>删除行</translation>
    </message>
    <message>
        <source>- Column</source>
        <translation>- 列</translation>
    </message>
    <message>
        <source>Delete columns</source>
        <translation>删除列</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fill the selection with the current number (Ctrl+D)</source>
        <translation>用当前的数填满选中的格子（Ctrl+D）</translation>
    </message>
    <message>
        <source>Numbers of {name}</source>
        <translation>{name} 的数值</translation>
    </message>
    <message>
        <source>Ctrl+Tab leaves the cells. Esc closes.</source>
        <translation>Ctrl+Tab 离开单元格，Esc 关闭。</translation>
    </message>
    <message>
        <source>Ctrl+Z takes an edit back. Ctrl+Tab leaves the cells. Esc closes and keeps what was edited.</source>
        <translation>Ctrl+Z 撤销一步修改，Ctrl+Tab 离开单元格，Esc 关闭并保留修改。</translation>
    </message>
    <message>
        <source>These numbers are computed. Those of leaves can be changed.</source>
        <translation>这些数是计算出来的。叶子节点的数才可以修改。</translation>
    </message>
    <message>
        <source>Only to look at: an edit would write all {count} numbers that {call} makes into the line.</source>
        <translation>只能查看：修改会把 {call} 生成的全部 {count} 个数写进这一行。</translation>
    </message>
    <message>
        <source>Up to {most} can be edited: give it a smaller size, or paste a tensor.</source>
        <translation>最多可以修改 {most} 个：请把大小改小，或粘贴一个张量。</translation>
    </message>
    <message>
        <source>An edit writes all {count} numbers into the line, in place of {call}.</source>
        <translation>一旦修改，全部 {count} 个数都会写进这一行，取代 {call}。</translation>
    </message>
    <message>
        <source>There is no value here now</source>
        <translation>现在这里没有值</translation>
    </message>
</context>
<context>
    <name>Versions</name>
    <message>
        <source>{tensor} is made</source>
        <translation>创建 {tensor}</translation>
    </message>
    <message>
        <source>{tensor} shares its memory and its counter</source>
        <translation>{tensor} 共享存储和版本计数</translation>
    </message>
    <message>
        <source>{tensor} shows its memory, but has a counter of its own</source>
        <translation>{tensor} 共享存储，但另有自己的版本计数</translation>
    </message>
    <message>
        <source>{tensor} is written: v{before} → v{version}</source>
        <translation>{tensor} 被改写：v{before} → v{version}</translation>
    </message>
    <message>
        <source>written past the counter: still v{version}</source>
        <translation>绕过计数改写：仍是 v{version}</translation>
    </message>
    <message>
        <source>{tensor} shows other memory from here on</source>
        <translation>{tensor} 从此指向另一块存储</translation>
    </message>
    <message>
        <source>{node} saves {names} at v{saved}</source>
        <translation>{node} 保存 {names}，版本 v{saved}</translation>
    </message>
    <message>
        <source>{node} reads {names} and finds v{version}, as saved</source>
        <translation>{node} 读取 {names}：v{version}，与保存时一致</translation>
    </message>
    <message>
        <source>{node} reads {names} and finds v{version}, as saved, but other values: nobody notices</source>
        <translation>{node} 读取 {names}：v{version}，与保存时一致，但值已不同，无人察觉</translation>
    </message>
    <message>
        <source>{node} finds v{version} where it had saved v{saved}: error</source>
        <translation>{node} 保存的是 v{saved}，读到 v{version}：报错</translation>
    </message>
    <message>
        <source>{node} frees {names}</source>
        <translation>{node} 释放 {names}</translation>
    </message>
    <message>
        <source>Saver</source>
        <translation>保存者</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>改写者</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>读取者</translation>
    </message>
    <message>
        <source>{tensor} at v{saved}, by {node}</source>
        <translation>{tensor} 的 v{saved}，由 {node} 保存</translation>
    </message>
    <message>
        <source>{tensor} is written, v{version}</source>
        <translation>{tensor} 被改写，v{version}</translation>
    </message>
    <message>
        <source>{node} needs v{saved}, finds v{version}</source>
        <translation>{node} 需要 v{saved}，读到 v{version}</translation>
    </message>
    <message>
        <source>{part}: {words}</source>
        <translation>{part}：{words}</translation>
    </message>
    <message>
        <source>Look at this moment</source>
        <translation>查看这一时刻</translation>
    </message>
</context>
<context>
    <name>VersionsPanel</name>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Select a tensor to see who wrote it, and who saved which version.</source>
        <translation>选中一个张量，查看谁改写了它、谁保存了哪个版本。</translation>
    </message>
    <message>
        <source>One counter with {names}</source>
        <translation>与 {names} 共用一个版本计数</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message>
        <source>Accumulated</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>{n} earlier backwards, added up:</source>
        <translation>之前 {n} 次反向传播之和：</translation>
    </message>
    <message>
        <source>Line {line}: {code}</source>
        <translation>第 {line} 行：{code}</translation>
    </message>
    <message>
        <source>It could not be worked out: {error}</source>
        <translation>无法推导：{error}</translation>
    </message>
    <message>
        <source>v are the weights that the backward was given:</source>
        <translation>v 是传给这次反向传播的权重：</translation>
    </message>
    <message>
        <source>Local derivatives</source>
        <translation>局部导数</translation>
    </message>
    <message>
        <source>{partial} is the direct step alone, {total} the sum of all paths.</source>
        <translation>{partial} 只是直接的一步，{total} 是所有路径之和。</translation>
    </message>
    <message>
        <source>{names}: the same tensor at several inputs of one operator. Each of them is a path of its own.</source>
        <translation>{names}：同一个张量用作同一算子的几个输入，每一处各是一条路径。</translation>
    </message>
    <message>
        <source>Paths, added up by their last step</source>
        <translation>路径，按最后一步归并相加</translation>
    </message>
    <message>
        <source>There are more than {n} paths: each row is the sum of those that come by the same last step.</source>
        <translation>路径超过 {n} 条：每行是最后一步相同的各条路径之和。</translation>
    </message>
    <message>
        <source>{n} path</source>
        <translation>{n} 条路径</translation>
    </message>
    <message>
        <source>{n} paths, added up</source>
        <translation>{n} 条路径相加</translation>
    </message>
    <message>
        <source>all that are left, {n}</source>
        <translation>其余 {n} 项</translation>
    </message>
    <message>
        <source>path {place}: {chain}, gives {value}</source>
        <translation>路径 {place}：{chain}，贡献 {value}</translation>
    </message>
    <message>
        <source>Nodes of the gradient&apos;s graph</source>
        <translation>梯度计算图的节点</translation>
    </message>
    <message>
        <source>No formula is written down for this step; its numbers are those of the backward.</source>
        <translation>这一步没有写出公式；这里的数字由反向传播算出。</translation>
    </message>
    <message>
        <source>n is the number of elements over which the mean is taken.</source>
        <translation>n 是求平均的元素个数。</translation>
    </message>
    <message>
        <source>{g} is the gradient that arrives there, of the root by {name}.</source>
        <translation>{g} 是传到那里的梯度，即起点对 {name} 的梯度。</translation>
    </message>
    <message>
        <source>{node} has run</source>
        <translation>{node} 已执行</translation>
    </message>
    <message>
        <source>No gradient came in.</source>
        <translation>没有梯度传入。</translation>
    </message>
    <message>
        <source>The gradient that came in:</source>
        <translation>传入的梯度：</translation>
    </message>
    <message>
        <source>to {name}</source>
        <translation>传给 {name}</translation>
    </message>
    <message>
        <source>Nothing goes out.</source>
        <translation>没有梯度传出。</translation>
    </message>
    <message>
        <source>show fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 项</translation>
    </message>
    <message>
        <source>Jacobian, {rows} × {columns}</source>
        <translation>雅可比矩阵，{rows} × {columns}</translation>
    </message>
    <message>
        <source>v are the weights that the backward was given.</source>
        <translation>v 是传给这次反向传播的权重。</translation>
    </message>
    <message>
        <source>v is the gradient that arrived at {name}.</source>
        <translation>v 是传到 {name} 的梯度。</translation>
    </message>
    <message>
        <source>Each row times its weight, added up column by column: that is the gradient of {name}.</source>
        <translation>每行乘以它的权重，再逐列相加：这就是 {name} 的梯度。</translation>
    </message>
    <message>
        <source>Each row times its weight, added up column by column, is what goes on to {name}.</source>
        <translation>每行乘以它的权重，再逐列相加，就是继续传给 {name} 的部分。</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Select a tensor to see why its gradient is what it is.</source>
        <translation>选中一个张量，看它的梯度是怎么来的。</translation>
    </message>
    <message>
        <source>This Function has passed on no gradient at this moment. Look at a moment after a backward went through it, or select the card of its tensor.</source>
        <translation>到此刻为止，这个 Function 还没有传过梯度。请查看反向传播经过它之后的时刻，或者选中它的张量的卡片。</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as LaTeX</source>
        <translation>复制为 LaTeX</translation>
    </message>
    <message>
        <source>Its value was not kept: memory ran short.</source>
        <translation>内存不足，没有保留它的值。</translation>
    </message>
    <message>
        <source>It is covered: guess first.</source>
        <translation>梯度已遮住：先猜一猜。</translation>
    </message>
    <message>
        <source>Click to reveal</source>
        <translation>单击揭开</translation>
    </message>
    <message>
        <source>Reveal {name}</source>
        <translation>揭开 {name}</translation>
    </message>
    <message>
        <source>Working it out...</source>
        <translation>正在推导…</translation>
    </message>
</context>
<context>
    <name>Wire</name>
    <message>
        <source>A tensor can&apos;t need itself: {circle}</source>
        <translation>张量不能依赖自己：{circle}</translation>
    </message>
    <message>
        <source>Remove tag</source>
        <translation>移除标签</translation>
    </message>
    <message>
        <source>No card can read this. Space adds one that does.</source>
        <translation>没有卡片能读取它。按空格键添加一张。</translation>
    </message>
    <message>
        <source>{tensor} to {card}, input {n}. Enter connects, Space adds a card, Esc cancels.</source>
        <translation>{tensor} 到 {card} 的第 {n} 个输入。Enter 连接，空格键添加卡片，Esc 取消。</translation>
    </message>
    <message>
        <source>Here an edge is an operator, not a wire. Wires are drawn in Cards (Ctrl+1) and Autograd (Ctrl+3).</source>
        <translation>这里的边是算子，不是连线。请在“卡片”（Ctrl+1）或“自动求导”（Ctrl+3）画法中连线。</translation>
    </message>
</context>
<context>
    <name>Working</name>
    <message>
        <source>Tidying</source>
        <translation>正在整理布局</translation>
    </message>
    <message>
        <source>Progress of tidying</source>
        <translation>整理布局的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give up tidying (Esc)</source>
        <translation>放弃整理布局（Esc）</translation>
    </message>
</context>
<context>
    <name>ZoomBox</name>
    <message>
        <source>Fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>Zoom: type a percentage, or fit</source>
        <translation>缩放：可输入百分比或“适合”</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>{least}% to {most}%, or fit</source>
        <translation>{least}% 到 {most}%，或“适合”</translation>
    </message>
</context>
</TS>

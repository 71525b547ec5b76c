"""Editors for what a statement's line says beside its wires: an operator's attributes, a leaf's dtype and flags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QWidget

from chalkgrad.engine.record import OPS, Attribute
from chalkgrad.errors import ChalkgradError
from chalkgrad.program import edits
from chalkgrad.program.statement import Dtype, Kind, Operand, Statement
from chalkgrad.source import emit, read
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language

DTYPES = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")


class OptionsEditor(QWidget):
    """A field for each attribute of one statement; what can't be read is said at the field and changes nothing."""

    def __init__(self, document: Document, id_: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._id = id_
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 4, 0, 0)
        self.message = QLabel(self)
        self.message.setObjectName("fieldMessage")
        self.message.setWordWrap(True)
        self.message.hide()
        statement = document.program[id_]
        if statement.kind is Kind.LEAF:
            self._add_leaf(statement)
        elif statement.kind is Kind.OP and statement.call in OPS:
            for attribute in OPS[statement.call].attributes:
                self._add_attribute(statement, attribute)
        self._form.addRow(self.message)

    def is_empty(self) -> bool:
        """True when there is nothing to edit."""
        return self._form.rowCount() < 2

    # ------------------------------------------------------------ build

    def _add_leaf(self, statement: Statement) -> None:
        dtype = statement.option("dtype")
        combo = QComboBox(self)
        combo.setObjectName("option.dtype")
        combo.addItem("torch.float32" if dtype is None else "", None)
        for name in DTYPES:
            combo.addItem(f"torch.{name}", name)
        combo.setCurrentIndex(combo.findData(dtype.name if isinstance(dtype, Dtype) else None))
        combo.setItemText(0, self.tr("by its values"))
        combo.activated.connect(self._set_dtype)
        self._add_row("dtype", combo)
        check = QCheckBox(self)
        check.setObjectName("option.requires_grad")
        check.setChecked(statement.option("requires_grad") is True)
        check.toggled.connect(self._set_requires_grad)
        self._add_row("requires_grad", check)
        if statement.call in ("rand", "randn"):
            self._add_field("seed", statement.option("seed"))

    def _add_attribute(self, statement: Statement, attribute: Attribute) -> None:
        value = statement.option(attribute.name, attribute.default)
        if attribute.kind == "bool":
            check = QCheckBox(self)
            check.setObjectName(f"option.{attribute.name}")
            check.setChecked(bool(value))
            check.toggled.connect(self._set_flag)
            self._add_row(attribute.name, check)
        elif attribute.choices:
            combo = QComboBox(self)
            combo.setObjectName(f"option.{attribute.name}")
            combo.addItems(attribute.choices)
            combo.setCurrentText(str(value))
            combo.textActivated.connect(self._set_choice)
            self._add_row(attribute.name, combo)
        else:
            self._add_field(attribute.name, value)

    def _add_field(self, name: str, value: Operand) -> None:
        field = QLineEdit("" if value is None else emit.value_text(value), self)
        field.setObjectName(f"option.{name}")
        field.setPlaceholderText("None")
        field.editingFinished.connect(self._set_field)
        self._add_row(name, field)

    def _add_row(self, name: str, field: QWidget) -> None:
        label = QLabel(name, self)
        label.setObjectName("codeLabel")
        field.setAccessibleName(name)
        self._form.addRow(label, field)

    # ------------------------------------------------------------ slots

    def _name(self) -> str:
        sender = self.sender()
        return sender.objectName().removeprefix("option.") if sender is not None else ""

    def _set_field(self) -> None:
        field = self.sender()
        if not isinstance(field, QLineEdit) or not field.isModified():
            return
        field.setModified(False)
        name, text = self._name(), field.text().strip()
        try:
            value = read.read_value(text) if text and text != "None" else None
        except ChalkgradError as error:
            self.message.setText(render(error.text, language()))
            self.message.show()
            return
        self.message.hide()
        self._put(name, value)

    def _set_flag(self, on: bool) -> None:
        self._put(self._name(), on)

    def _set_choice(self, text: str) -> None:
        self._put(self._name(), text)

    def _set_dtype(self, index: int) -> None:
        combo = self.sender()
        name = combo.itemData(index) if isinstance(combo, QComboBox) else None
        self._put("dtype", None if name is None else Dtype(name))

    def _set_requires_grad(self, on: bool) -> None:
        self._put("requires_grad", on or None)

    def _put(self, name: str, value: Operand) -> None:
        """Write the option into the line; PyTorch's default is left out."""
        document, id_ = self._document, self._id
        default = _default(document.program[id_], name)

        def changed(statement: Statement) -> Statement:
            return statement.without_option(name) if value == default else statement.with_option(name, value)

        document.do(_edit(id_, changed), name)


def _edit(id_: int, changed: Callable[[Statement], Statement]) -> Callable[..., object]:
    return lambda sheet: edits.put(sheet.program, changed(replace(sheet.program[id_])))


def _default(statement: Statement, name: str) -> Operand:
    if statement.kind is Kind.OP and statement.call in OPS:
        value: Operand = OPS[statement.call].attribute(name).default
        return value
    return None

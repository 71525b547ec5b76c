"""``torch.special``: special functions under their names there; most are functions of ``torch`` too."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.record import OPS as _OPS
from chalkgrad.engine.spelling import function as _function
from chalkgrad.torch.functions import absent as _absent

_OTHER_NAMES = {"expit": "sigmoid", "gammaln": "lgamma", "psi": "digamma", "multigammaln": "mvlgamma"}
_OTHER_NAMES |= {"round": "round_decimals", "gammainc": "igamma", "gammaincc": "igammac"}
_OTHER_NAMES |= {
    name: f"special_{name}" for name in ("i0e", "i1", "i1e", "entr", "ndtr", "ndtri", "log_ndtr", "erfcx", "xlog1py")
}
_SAME_NAMES = (
    *("digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "log1p", "log_softmax", "logit", "logsumexp", "polygamma"),
    *("i0", "sinc", "softmax", "xlogy"),
)

globals().update(
    {
        name: _function(_OPS[meaning], f"special_{name}")
        for name, meaning in ({name: name for name in _SAME_NAMES} | _OTHER_NAMES).items()
        if meaning in _OPS
    }
)

__all__ = sorted(name for name in globals() if not name.startswith("_"))

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.special")

"""``torch._C._autograd``."""

from chalkgrad.engine.counting import set_versions as _unsafe_set_version_counter
from chalkgrad.engine.graph import InputMetadata as _InputMetadata
from chalkgrad.engine.packing import saved_tensors_hooks_are_allowed as _saved_tensors_hooks_is_enabled
from chalkgrad.engine.raw_saved import RawSaved as SavedTensor
from chalkgrad.torch.functions import absent as _absent

__all__ = ["SavedTensor", "_InputMetadata", "_saved_tensors_hooks_is_enabled", "_unsafe_set_version_counter"]

__getattr__ = _absent("torch._C._autograd")

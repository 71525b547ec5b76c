"""``torch.autograd.anomaly_mode``."""

from chalkgrad.engine.anomaly import detect_anomaly, set_detect_anomaly
from chalkgrad.torch.functions import absent as _absent

__all__ = ["detect_anomaly", "set_detect_anomaly"]

__getattr__ = _absent("torch.autograd.anomaly_mode")

"""The loader, which hands out the examples of a set in batches."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.torch.utils.data.collate import default_collate, default_convert
from chalkgrad.torch.utils.data.dataset import IterableDataset
from chalkgrad.torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, random_seed

__all__ = ["DataLoader", "get_worker_info"]


class DataLoader:
    """Hands out the examples of a set in batches; everything happens in this process."""

    def __class_getitem__(cls, item: Any) -> type[DataLoader]:
        return cls

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset, self.num_workers, self.generator = dataset, num_workers, generator
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.timeout, self.worker_init_fn, self.in_order = timeout, worker_init_fn, in_order
        self.multiprocessing_context, self.persistent_workers = multiprocessing_context, persistent_workers
        self._streams = isinstance(dataset, IterableDataset)
        if self._streams:
            _check_stream(shuffle, sampler, batch_sampler)
        _check_order(batch_size, shuffle, sampler, batch_sampler, drop_last)
        if sampler is None:
            sampler = self._default_sampler(bool(shuffle))
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)

    def _default_sampler(self, shuffle: bool) -> Iterable[Any]:
        if self._streams:
            return _Onwards()
        return RandomSampler(self.dataset, generator=self.generator) if shuffle else SequentialSampler(self.dataset)

    @property
    def order(self) -> Any:
        """Numbers of examples, or lists of them, in the order in which they are handed out."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> Iterator[Any]:
        return _SingleProcessDataLoaderIter(self)

    def __len__(self) -> int:
        if not self._streams:
            return len(self.order)
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


class _Onwards:
    """The order of a stream: its examples have no numbers."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class _SingleProcessDataLoaderIter:
    """One going-through of a loader."""

    def __init__(self, loader: DataLoader) -> None:
        if loader.pin_memory:
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, "
                "then device pinned memory won't be used.",
                stacklevel=2,
            )
        self._loader, self._numbers = loader, iter(loader.order)
        random_seed(loader.generator or default_generator)  # PyTorch draws one for its workers, with none as well
        self._stream = iter(loader.dataset) if loader._streams else None
        self._ended = False

    def __iter__(self) -> Iterator[Any]:
        return self

    def __len__(self) -> int:
        return len(self._loader.order)

    def __next__(self) -> Any:
        numbers = next(self._numbers)
        examples = self._example(numbers) if self._loader.batch_sampler is None else self._examples(numbers)
        return self._loader.collate_fn(examples)

    def _example(self, number: Any) -> Any:
        return self._loader.dataset[number] if self._stream is None else next(self._stream)

    def _examples(self, numbers: Any) -> Any:
        if self._stream is not None:
            return self._streamed(len(numbers))
        dataset = self._loader.dataset
        if hasattr(dataset, "__getitems__"):
            return dataset.__getitems__(numbers)
        return [dataset[number] for number in numbers]

    def _streamed(self, count: int) -> list[Any]:
        if self._ended:
            raise StopIteration
        batch = list(itertools.islice(self._stream or (), count))
        self._ended = len(batch) < count
        if not batch or (self._ended and self._loader.drop_last):
            raise StopIteration
        return batch


def _check_workers(count: int, timeout: float, prefetch_factor: int | None, persistent: bool) -> None:
    if count < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if count == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and count == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_stream(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    for name, value, given in (
        ("shuffle", shuffle, shuffle not in (False, None)),
        ("sampler", sampler, sampler is not None),
        ("batch_sampler", batch_sampler, batch_sampler is not None),
    ):
        if given:
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
            )


def _check_order(batch_size: int | None, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool) -> None:
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")


def get_worker_info() -> None:
    """What a process that loads data knows of itself: nothing, there is none but this one."""


DataLoader.__module__ = _SingleProcessDataLoaderIter.__module__ = "torch.utils.data.dataloader"
get_worker_info.__module__ = "torch.utils.data._utils.worker"

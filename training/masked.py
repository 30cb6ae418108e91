"""MaskablePPO's policy with a leaner distribution: the same numbers, normalised once instead of at every turn."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

ILLEGAL = -1e8  # logit


class LeanCategorical(MaskableCategoricalDistribution):
    """One choice among the legal actions of each row."""

    def proba_distribution(self, action_logits: torch.Tensor) -> LeanCategorical:
        self.logits = action_logits.view(-1, self.action_dim)
        self.apply_masking(None)
        return self

    def apply_masking(self, masks: torch.Tensor | np.ndarray | None) -> None:
        self.masked = self.logits
        if masks is not None:
            self.masked = self.logits.masked_fill(
                ~torch.as_tensor(masks, dtype=torch.bool).view_as(self.logits), ILLEGAL
            )
        self.__dict__.pop("logps", None)

    @cached_property
    def logps(self) -> torch.Tensor:
        """Log probabilities: made when first asked for, since masks come after the logits."""
        return torch.log_softmax(self.masked, dim=1)

    def _probabilities(self) -> torch.Tensor:
        return torch.softmax(self.masked, dim=1)  # much faster than exp(logps), which is slow far below 0

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        return self.logps.gather(1, actions.long().view(-1, 1))[:, 0]

    def entropy(self) -> torch.Tensor:
        return -(self._probabilities() * self.logps).sum(1)  # illegal ones add 0 * ILLEGAL

    def sample(self) -> torch.Tensor:
        """The first action at which the summed probabilities reach a random share of them: never an illegal one."""
        sums = self._probabilities().cumsum(1)
        share = 1 - torch.rand(len(sums), 1)
        return torch.searchsorted(sums, share * sums[:, -1:])[:, 0]

    def mode(self) -> torch.Tensor:
        return self.masked.argmax(1)


class LeanMaskablePolicy(MaskableActorCriticPolicy):
    """For one choice among numbered actions, on the CPU."""

    def _build(self, lr_schedule: Any) -> None:
        self.action_dist = LeanCategorical(int(self.action_space.n))  # type: ignore[attr-defined]
        super()._build(lr_schedule)

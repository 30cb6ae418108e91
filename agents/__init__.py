"""Agents: players of any game of ka_env."""

from agents.base import Agent
from agents.registry import AgentError, agent_names, make_agent, register

__all__ = ["Agent", "AgentError", "agent_names", "make_agent", "register"]

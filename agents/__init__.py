"""Agents: players of any game of ka_env. The folder lies at the top of the repository; the package is ka_env.agents."""

if __name__ != "ka_env.agents":
    raise ImportError(f"import ka_env.agents instead of {__name__}: this would be a second copy of the classes")

from ka_env.agents.ask import ask
from ka_env.agents.base import Agent
from ka_env.agents.registry import AgentError, agent_names, make_agent, register

__all__ = ["Agent", "AgentError", "agent_names", "ask", "make_agent", "register"]

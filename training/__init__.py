"""Self-play training and the arena. The folder lies at the top of the repository; the package is ka_env.training."""

if __name__ != "ka_env.training":
    raise ImportError(f"import ka_env.training instead of {__name__}: this would be a second copy of the classes")

"""One module per subcommand of `ka`."""

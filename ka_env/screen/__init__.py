"""People at the table: `ka play` and `ka watch`. Games are reached through the module `people` of their package."""

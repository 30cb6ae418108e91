"""BlackPoker for people: boards, pictures, phrases, stories. No kernel reads anything in this room."""

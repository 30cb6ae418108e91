"""Blue Moon for people: boards, pictures, phrases, stories, paraphrases of cards. No kernel reads anything here."""

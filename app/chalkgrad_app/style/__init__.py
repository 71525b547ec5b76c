"""How the application looks: themes, fonts, icons."""

"""Catalogues of the clouds' machine types, one package a cloud. Pure: imports neither Pulumi nor a cloud's SDK."""

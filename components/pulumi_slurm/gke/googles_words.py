"""What a failed question to Google's provider says to people."""


def googles_words(error: Exception) -> str:
    """Return the line of a failure that says most: Google's own words, if it has any."""
    lines = [line.strip(" *\t") for line in str(error).splitlines() if line.strip(" *\t")]
    telling = [line for line in lines if "Error " in line or "not found" in line]
    return (telling or lines or [type(error).__name__])[0]

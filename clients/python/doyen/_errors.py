"""The errors of the client."""


class ElectorError(Exception):
    """A setting or the elector's answer is wrong, and a retry cannot help."""


class LeadershipLost(Exception):
    """This app no longer leads, or the leader is unknown. The text contains the reason."""

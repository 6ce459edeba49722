"""The errors of the client."""


class ElectorError(Exception):
    """The elector's answer or address is wrong, and a retry cannot help."""


class LeadershipLost(Exception):
    """This app does not lead any more, or the leader is unknown. The text contains the reason."""

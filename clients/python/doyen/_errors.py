"""What can go wrong between an app and its elector."""


class ElectorError(Exception):
    """The elector answered, or its address reads, in a way that waiting would not mend."""


class LeadershipLost(Exception):
    """This app does not lead any more, or it is not known whether it does. The text says why."""

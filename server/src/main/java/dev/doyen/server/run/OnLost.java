package dev.doyen.server.run;

/** What a run does once its leadership was lost under the command. */
public enum OnLost {
    /** Stops the command, stands again, and starts it anew at the next election. */
    RESTART,
    /** Stops the command, then ends. */
    STOP,
    /** Kills the command without a grace, then ends. */
    EXIT
}

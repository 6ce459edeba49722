package dev.doyen.chaos.random;

/**
 * A kind of fault, with its effect and its victim.
 *
 * <p>"The leader" is the leader of one of the elections. "The leader of the log" is the member of a quorum that is the
 * leader in Raft.
 */
enum FaultKind {
    /** SIGKILL of the leader. */
    KILL("leader killed (SIGKILL)", Effect.ENDS_PROCESS),
    /** SIGSTOP of the leader for less than the ttl, then SIGCONT. */
    STOP_SHORT("leader stopped for less than the ttl (SIGSTOP)", Effect.ENDS_SESSION),
    /** SIGSTOP of the leader for more than the ttl, then SIGCONT. */
    STOP_LONG("leader stopped for more than the ttl (SIGSTOP)", Effect.ENDS_SESSION),
    /** SIGTERM of the leader. The process closes its elections before it ends. */
    TERMINATE("leader ended (SIGTERM)", Effect.CLOSES_PROCESS),
    /** The leader resigns while its work ignores the interrupt for longer than the ttl. */
    HANG("leader resigns, its work hangs", Effect.NONE),
    /** Every store call of the leader's process throws an Error for a while. */
    ERRORS("leader's store calls throw Errors", Effect.ENDS_SESSION),

    /** SIGKILL of the server of the store. The server starts again later. */
    SERVER_KILL("store's server killed", Effect.STOPS_STORE),
    /** SIGSTOP of the server of the store, then SIGCONT. */
    SERVER_FREEZE("store's server frozen (SIGSTOP)", Effect.STOPS_STORE),

    /** SIGKILL of the member that leads the log. */
    LOG_LEADER_KILL("leader of the log killed (SIGKILL)", Effect.ENDS_PROCESS),
    /** SIGSTOP of the member that leads the log, then SIGCONT. */
    LOG_LEADER_STOP("leader of the log stopped (SIGSTOP)", Effect.ENDS_SESSION),
    /** SIGTERM of the member that leads the log. */
    LOG_LEADER_TERMINATE("leader of the log ended (SIGTERM)", Effect.CLOSES_PROCESS),
    /** SIGKILL of a majority of the members. They start again later. */
    MAJORITY_KILL("most members killed (SIGKILL)", Effect.STOPS_STORE),
    /** SIGSTOP of a majority of the members, then SIGCONT. */
    MAJORITY_STOP("most members stopped (SIGSTOP)", Effect.STOPS_STORE),

    /** The leader neither sends nor receives. */
    CUT("leader cut off", Effect.ENDS_SESSION),
    /** The leader receives nothing. Its own messages still arrive. */
    CUT_INCOMING("leader receives nothing", Effect.ENDS_SESSION),
    /** The leader's messages are lost. The leader still receives messages. */
    CUT_OUTGOING("nothing from the leader arrives", Effect.ENDS_SESSION),
    /** The leader's link carries at most 1 Mbit/s. */
    SLOW_LINE("leader has a slow line", Effect.HINDERS_LEADER),
    /** The member that leads the log neither sends nor receives. */
    LOG_LEADER_CUT("leader of the log cut off", Effect.ENDS_SESSION),
    /** The member that leads the log receives nothing. Its own messages still arrive. */
    LOG_LEADER_CUT_INCOMING("leader of the log receives nothing", Effect.ENDS_SESSION),
    /** The messages of the member that leads the log are lost. The member still receives messages. */
    LOG_LEADER_CUT_OUTGOING("nothing from the leader of the log arrives", Effect.ENDS_SESSION),
    /** Every process is cut off from all others. */
    PARTITION("every process cut off", Effect.STOPS_STORE);

    private final String text;
    private final Effect effect;

    private enum Effect {
        NONE,
        /** The process closes its elections before it ends. */
        CLOSES_PROCESS,
        ENDS_PROCESS,
        /** A session can end without a release. */
        ENDS_SESSION,
        /** A session can end without a release, or the leader can continue to lead. */
        HINDERS_LEADER,
        /** A session can end without a release, and no process can become the leader before the fault ends. */
        STOPS_STORE
    }

    FaultKind(String text, Effect effect) {
        this.text = text;
        this.effect = effect;
    }

    /** Returns a short text for the table. */
    String text() {
        return text;
    }

    /** Returns true if the fault ends its victim, so that a new process must replace the victim. */
    boolean endsProcess() {
        return effect == Effect.ENDS_PROCESS || effect == Effect.CLOSES_PROCESS;
    }

    /**
     * Returns true if the fault can end a session without a release.
     *
     * <p>Another process must then fence the session.
     */
    boolean endsSession() {
        return effect == Effect.ENDS_PROCESS
                || effect == Effect.ENDS_SESSION
                || effect == Effect.HINDERS_LEADER
                || effect == Effect.STOPS_STORE;
    }

    /**
     * Returns true if the fault only slows the leader's connection.
     *
     * <p>The leader can continue to lead during such a fault. So the recovery counts from the end of its leadership.
     */
    boolean hindersLeader() {
        return effect == Effect.HINDERS_LEADER;
    }

    /**
     * Returns true if no process can become the leader during the fault. The recovery then counts from the time at
     * which all processes are candidates again.
     */
    boolean stopsStore() {
        return effect == Effect.STOPS_STORE;
    }

    /**
     * Returns true if the victim is the leader of the log. In the other kinds of fault, the victim is the leader of an
     * election, or the fault needs no victim.
     */
    boolean hitsLogLeader() {
        return name().startsWith("LOG_LEADER");
    }
}

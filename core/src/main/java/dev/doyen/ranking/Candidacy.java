package dev.doyen.ranking;

/** When this member may claim, if the channel stays without a leader (rules K5, K7, K13, K19). */
final class Candidacy {

    /** How many settle times each place further back in rank waits longer, in case those before it are stuck. */
    private static final int PATIENCE = 4;

    /** Beyond this place all wait equally long. */
    private static final int MAX_POSITION = 8;

    private static final int MAX_DOUBLINGS = 20;

    private final RankingTurn turn;

    Candidacy(RankingTurn turn) {
        this.turn = turn;
    }

    boolean stands() {
        return turn.settings.candidate() && !turn.standsBack && turn.isDue(turn.restUntilNanos);
    }

    long claimAtNanos(Member mine) {
        Heir heir = turn.heir;
        long ttl = turn.settings.ttl().toNanos();
        if (heir != null && heir.clientId().equals(mine.clientId())) {
            return heir.stopped() ? turn.claimAtNanos : RankingTurn.later(heir.sinceNanos() + ttl, turn.claimAtNanos);
        }
        Long leaderless = turn.leaderlessSinceNanos;
        long since = leaderless == null ? turn.now.nanos() : leaderless;
        if (heir != null) {
            // Half a ttl is what the hub gives the heir; without a word its time begins when the promise has run out.
            long kept = heir.sinceNanos() + ttl / 2 + (heir.stopped() ? 0 : ttl);
            since = RankingTurn.later(since, kept);
        }
        int places = Math.min(turn.settings.ranking().position(turn.sight.members.values(), mine), MAX_POSITION);
        return RankingTurn.later(since + settleNanos() * (1 + (long) PATIENCE * places), turn.claimAtNanos);
    }

    /** A claim was refused, abandoned, or led to nothing. */
    void backOff() {
        turn.failures++;
        turn.claimAtNanos = turn.now.nanos() + backoffNanos();
    }

    /** The hub asks for this member's claim, so neither what it was refused before nor its cooldown is a reason to wait. */
    void asked() {
        turn.restUntilNanos = turn.now.nanos();
        turn.failures = 0;
        turn.claimAtNanos = turn.now.nanos();
    }

    long backoffNanos() {
        int doublings = Math.max(0, Math.min(turn.failures - 1, MAX_DOUBLINGS));
        long most = turn.settings.backoffMost().toNanos();
        return Math.min(most, turn.settings.backoff().toNanos() << doublings);
    }

    private long settleNanos() {
        long settle = turn.settings.settle().toNanos();
        return turn.terms.exclusive
                ? Math.min(settle, turn.settings.exclusiveSettle().toNanos())
                : settle;
    }
}

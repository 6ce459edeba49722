package dev.doyen.ranking;

/** Whom the hub keeps the office for after it took it away, and the word it waits for (rule K19). */
final class Heirs {

    private final RankingTurn turn;

    Heirs(RankingTurn turn) {
        this.turn = turn;
    }

    /** Only where the hub grants claims does it alone say who is to be next. */
    void heed(Member former) {
        String heir = former.ended().flatMap(Member.Ended::heir).orElse(null);
        if (heir == null || !turn.terms.exclusive) {
            return;
        }
        // Strangers give no word; what they have promised the hub knows.
        boolean stranger = former.seq().isEmpty();
        turn.heir = new Heir(heir, former.key(), stranger, turn.now.nanos());
        if (turn.mine().filter(mine -> mine.clientId().equals(heir)).isPresent()) {
            turn.candidacy.asked();
        }
    }

    /** Who led has written anew, or left. */
    void hearWord() {
        Heir heir = turn.heir;
        if (heir == null || heir.stopped()) {
            return;
        }
        Member former = turn.sight.members.get(heir.former());
        if (former == null || former.ended().isEmpty()) {
            turn.heir = heir.stoppedAt(turn.now.nanos());
        }
    }
}

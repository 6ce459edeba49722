package dev.doyen.ranking;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * Each rule of docs/spec/ranking.md broken, and each of these is caught: in seeded worlds if a promise depends on it there, else by a vector or
 * a step. On K12 no promise depends, for the deadline holds as well; nor on K15, which the settle time (K7) keeps anyway, or on which
 * order K4 puts claims in as long as all use the same.
 */
final class RankingMutants {

    private RankingMutants() {}

    /** Hunted in worlds whose hub grants claims. */
    static final List<Mutant> EXCLUSIVE = List.of(
            Mutant.of(
                    "K2",
                    "it does not wait for the answer to its write",
                    1,
                    "Pen.java",
                    "if (outstanding != null || !turn.isDue(turn.writeAtNanos)) {",
                    "if (!turn.isDue(turn.writeAtNanos)) {"),
            Mutant.of(
                    "K3",
                    "who claims another slot is the leader",
                    100,
                    "PresenceData.java",
                    "\"L\".equals(data.get(\"role\")) && !other",
                    "\"L\".equals(data.get(\"role\"))"),
            Mutant.of(
                    "K5",
                    "the last in rank is first",
                    1,
                    "Ranking.java",
                    "order.compare(member, me) < 0",
                    "order.compare(member, me) > 0"),
            Mutant.of(
                    "K7", "the first in rank alone may claim", 1, "Candidacy.java", "PATIENCE = 4", "PATIENCE = 1_000"),
            Mutant.of(
                    "K7",
                    "nothing but an event makes it claim",
                    1,
                    "Pen.java",
                    "return Optional.of(RankingTurn.later(turn.candidacy.claimAtNanos(mine), turn.writeAtNanos));",
                    "return Optional.empty();"),
            Mutant.of(
                    "K8",
                    "it leads by its claim, before the channel has seen it",
                    1,
                    "Pen.java",
                    "turn.effect(new RankingEffect.Claim(seq, term));",
                    "turn.effect(new RankingEffect.Claim(seq, term));\n        turn.claim = turn.claim.leading(term);\n        turn.effect(new RankingEffect.StartWork(term));"),
            Mutant.of("K9", "a deadline stops no work", 1, "RankingMachine.java", "turn.office.enforceDeadline();", ""),
            Mutant.of(
                    "K9",
                    "a suspended leader does not look at the wall clock",
                    1,
                    "Tenure.java",
                    "monotonic.compareTo(wall) < 0 ? monotonic : wall",
                    "monotonic"),
            Mutant.of(
                    "K9",
                    "it leads for a whole ttl",
                    1,
                    "Tenure.java",
                    "ttl.multipliedBy(4).dividedBy(5)",
                    "ttl.multipliedBy(5).dividedBy(5)"),
            Mutant.of(
                    "K10",
                    "a proof counts from the answer",
                    180,
                    "Office.java",
                    "turn.claim = claim.provenAt(sent);",
                    "turn.claim = claim.provenAt(turn.now);"),
            Mutant.of(
                    "K10",
                    "no leader proves that it is there",
                    1,
                    "Office.java",
                    "turn.effect(new RankingEffect.Ping());",
                    ""),
            Mutant.of(
                    "K13",
                    "a refused claim is made again at once",
                    40,
                    "Candidacy.java",
                    "turn.claimAtNanos = turn.now.nanos() + backoffNanos();",
                    "turn.claimAtNanos = turn.now.nanos();"),
            Mutant.of(
                    "K13",
                    "a refused claim is never made again",
                    1,
                    "Candidacy.java",
                    "turn.claimAtNanos = turn.now.nanos() + backoffNanos();",
                    "turn.claimAtNanos = turn.now.nanos() + 600_000_000_000L;"),
            Mutant.of(
                    "K14",
                    "who resigned stands at once",
                    1,
                    "Inbox.java",
                    "+ input.cooldown().orElse(turn.settings.cooldown()).toNanos();",
                    ";"),
            Mutant.of(
                    "K16",
                    "a page that is frozen or closes goes on working",
                    1,
                    "Inbox.java",
                    "        turn.office.lose(reason);\n        // Also",
                    "        // Also"),
            Mutant.of(
                    "K16",
                    "a thawed page stays out",
                    1,
                    "Inbox.java",
                    "turn.phase = Phase.OPEN;",
                    "turn.phase = Phase.FROZEN;"),
            Mutant.of(
                    "K19",
                    "the heir does not know that it was named",
                    1,
                    "Heirs.java",
                    "if (heir == null || !turn.terms.exclusive) {",
                    "if (heir == null || turn.terms.exclusive) {"),
            Mutant.of(
                    "K19",
                    "who led gives no word that it has stopped",
                    1,
                    "Pen.java",
                    "return mine.ended().isPresent();",
                    "return false;"));

    /** Caught by the vector or step whose name begins with what stands after the semicolon. */
    static final List<Mutant> STEPS = List.of(
            Mutant.of(
                    "K1",
                    "a set is complete before the sync is; nothing_is_decided_before_the_set_is_complete",
                    1,
                    "Sight.java",
                    "        synced = false;\n        overlay = Map.of();\n    }\n\n    void complete",
                    "        synced = true;\n        overlay = Map.of();\n    }\n\n    void complete"),
            Mutant.of(
                    "K3",
                    "a stranger is eligible; strangers_follow_and_are_not_eligible",
                    1,
                    "PresenceData.java",
                    "isOne(data.get(\"v\")) && ",
                    ""),
            Mutant.of(
                    "K3",
                    "the bare string claims nothing; strangers_follow_and_are_not_eligible",
                    1,
                    "PresenceData.java",
                    ": LEADER.equals(message.data());",
                    ": false;"),
            Mutant.of(
                    "K3",
                    "a term without bounds; a_term_that_is_no_integer",
                    1,
                    "PresenceData.java",
                    "term.getAsLong() >= 0 && term.getAsLong() <= MAX_TERM ? term",
                    "term.getAsLong() >= 0 ? term"),
            Mutant.of(
                    "K4",
                    "a stamped claim gives way; 05-stamped-term-wins",
                    1,
                    "Winner.java",
                    "            return one.stamped().isPresent();",
                    "            return other.stamped().isPresent();"),
            Mutant.of(
                    "K4",
                    "the lesser term wins; 07-higher-term-demotes",
                    1,
                    "Winner.java",
                    "one.termOfClaim() > other.termOfClaim()",
                    "one.termOfClaim() < other.termOfClaim()"),
            Mutant.of(
                    "K4",
                    "the later order wins; stamped_before_unstamped",
                    1,
                    "Winner.java",
                    "one.order(), other.order()",
                    "other.order(), one.order()"),
            Mutant.of(
                    "K4",
                    "the greater key wins; 08-tie",
                    1,
                    "Winner.java",
                    "compareKeys(one.key(), other.key())",
                    "compareKeys(other.key(), one.key())"),
            Mutant.of(
                    "K10",
                    "who cannot see its channel is proven; 17-proof-needs-sight",
                    1,
                    "Office.java",
                    "turn.connected && turn.sight.synced && sent",
                    "turn.connected && sent"),
            Mutant.of(
                    "K12",
                    "a new connection changes nothing; 15-new-connection",
                    1,
                    "Inbox.java",
                    "if (!input.key().equals(turn.key)) {",
                    "if (false) {"),
            Mutant.of(
                    "K12",
                    "who lost its channel leads on; 32-detached",
                    1,
                    "Inbox.java",
                    "        turn.office.lose(LossCause.SUPERSEDED);\n        forgetChannel();\n    }\n\n    @Override\n    public void syncStarted",
                    "    }\n\n    @Override\n    public void syncStarted"),
            Mutant.of(
                    "K15",
                    "it claims although another leads; while_somebody_leads_nobody_claims",
                    1,
                    "Pen.java",
                    "turn.claim == null && top == null && stands",
                    "turn.claim == null && stands"),
            Mutant.of(
                    "K17",
                    "a refused fence ends nothing; 28-fence-refused",
                    1,
                    "Inbox.java",
                    "turn.claim.leads() && turn.claim.ledTerm() == input.term()",
                    "turn.claim.leads() && input.term() < 0"),
            Mutant.of(
                    "K17",
                    "any refused fence ends it; a_refused_fence_ends",
                    1,
                    "Inbox.java",
                    "turn.claim.leads() && turn.claim.ledTerm() == input.term()",
                    "turn.claim.leads()"),
            Mutant.of(
                    "K18",
                    "the last checkpoint counts, not the greatest; the_greatest_by_term",
                    1,
                    "Checkpoints.java",
                    "checkpoint.compareTo(greatest) >= 0",
                    "checkpoint.compareTo(greatest) != 0"),
            Mutant.of(
                    "K18",
                    "many messages push it out; it_is_written_again",
                    1,
                    "Checkpoints.java",
                    "messagesSince < window && ",
                    ""),
            Mutant.of(
                    "K18",
                    "it grows old; it_is_written_again",
                    1,
                    "Checkpoints.java",
                    " && now.nanosSince(writtenAt) < MAX_AGE.toNanos()",
                    ""));

    /** Hunted in worlds whose hub grants nothing. */
    static final List<Mutant> OPEN = List.of(
            Mutant.of(
                    "K2",
                    "a claim that nobody answered is kept while pings are answered",
                    65,
                    "Pen.java",
                    "if (turn.claim != null && turn.claim.seq() == write.seq()) {",
                    "if (turn.claim != null && turn.claim.seq() > write.seq()) {"),
            Mutant.of(
                    "K11",
                    "a claim that was given up stays",
                    1,
                    "Pen.java",
                    "return turn.claim == null || !mine.isNumbered(turn.claim.seq());",
                    "return false;"),
            Mutant.of(
                    "K4",
                    "who claims takes itself for the winner",
                    70,
                    "RankingTurn.java",
                    "Winner.among(sight.members.values()).orElse(null)",
                    "mine().filter(Member::claims).or(() -> Winner.among(sight.members.values())).orElse(null)"),
            Mutant.of(
                    "K1",
                    "what is heard during a sync is forgotten",
                    1,
                    "Sight.java",
                    "overlay.forEach((key, heard) -> heard.ifPresentOrElse(member -> all.put(key, member), () -> all.remove(key)));",
                    ""),
            Mutant.of(
                    "K6",
                    "it claims in the greatest term",
                    1,
                    "Terms.java",
                    "Math.min(max, PresenceData.MAX_TERM - 1) + 1",
                    "Math.max(1, max)"),
            Mutant.of(
                    "K7",
                    "it does not settle",
                    1,
                    "Candidacy.java",
                    "since + settleNanos() * (1 + (long) PATIENCE * places)",
                    "since"),
            Mutant.of(
                    "K11",
                    "a leader whose claim is outdone leads on",
                    120,
                    "Office.java",
                    "if (top == null || !top.key().equals(mine.key())) {\n            lose(LossCause.SUPERSEDED);",
                    "if (top == null || !top.key().equals(mine.key())) {"));
}

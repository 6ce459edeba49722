package dev.doyen.server.member;

import dev.doyen.ranking.Ranking;

/** Who claims first when nobody leads, among those of the same priority. */
public enum RankingOrder {
    OLDEST,
    LOWEST_ID;

    Ranking ranking() {
        return this == OLDEST ? Ranking.oldest() : Ranking.lowestId();
    }
}

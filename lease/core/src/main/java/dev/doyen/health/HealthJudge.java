package dev.doyen.health;

/**
 * Decides the health of a candidate from several answers in a row. Immutable.
 *
 * <p>A single odd answer need not change the health. The very first success makes the candidate healthy at once.
 *
 * @param fallAfter the number of failures in a row that make a healthy candidate unhealthy
 * @param riseAfter the number of successes in a row that make an unhealthy candidate healthy
 * @param well true if the candidate is healthy
 * @param against how many answers in a row have contradicted {@code well}
 * @param asked true after the first answer
 */
public record HealthJudge(int fallAfter, int riseAfter, boolean well, int against, boolean asked) {

    /** Returns the initial state: unhealthy until the first success. */
    public static HealthJudge begin(int fallAfter, int riseAfter) {
        return new HealthJudge(fallAfter, riseAfter, false, 0, false);
    }

    public HealthJudge after(boolean yes) {
        if (yes == well) {
            return new HealthJudge(fallAfter, riseAfter, well, 0, true);
        }
        int row = against + 1;
        boolean turned = row >= (well ? fallAfter : riseAfter) || (yes && !asked);
        return turned
                ? new HealthJudge(fallAfter, riseAfter, yes, 0, true)
                : new HealthJudge(fallAfter, riseAfter, well, row, true);
    }
}

package dev.doyen.health;

/**
 * Decides the health of a candidate from the last answers of its health check. Immutable.
 *
 * <p>The health changes only after {@code fallAfter} or {@code riseAfter} consecutive answers that contradict it. There
 * is one exception: if the very first answer is a success, the candidate is healthy at once.
 *
 * @param fallAfter the number of failures in a row that make a healthy candidate unhealthy
 * @param riseAfter the number of successes in a row that make an unhealthy candidate healthy
 * @param well true if the candidate is healthy
 * @param against the number of consecutive answers, up to the last answer, that contradict {@code well}
 * @param answered true after the first answer has arrived
 */
public record HealthJudge(int fallAfter, int riseAfter, boolean well, int against, boolean answered) {

    /** Returns the initial state: unhealthy, and no answer yet. */
    public static HealthJudge begin(int fallAfter, int riseAfter) {
        return new HealthJudge(fallAfter, riseAfter, false, 0, false);
    }

    public HealthJudge after(boolean yes) {
        if (yes == well) {
            return new HealthJudge(fallAfter, riseAfter, well, 0, true);
        }
        int row = against + 1;
        boolean turned = row >= (well ? fallAfter : riseAfter) || (yes && !answered);
        return turned
                ? new HealthJudge(fallAfter, riseAfter, yes, 0, true)
                : new HealthJudge(fallAfter, riseAfter, well, row, true);
    }
}

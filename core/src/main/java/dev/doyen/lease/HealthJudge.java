package dev.doyen.lease;

/**
 * Judges health by the last answers in a row, so that one odd answer changes nothing. Immutable.
 *
 * @param fallAfter so many times no make well ill
 * @param riseAfter so many times yes make ill well; the very first yes does it at once
 * @param well the judgement
 * @param against how many answers in a row have contradicted it
 * @param asked whether anything was answered yet
 */
public record HealthJudge(int fallAfter, int riseAfter, boolean well, int against, boolean asked) {

    /** Not well until told so once. */
    public static HealthJudge begin(int fallAfter, int riseAfter) {
        return new HealthJudge(fallAfter, riseAfter, false, 0, false);
    }

    public HealthJudge hearing(boolean yes) {
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

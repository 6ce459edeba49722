package dev.doyen.demo.quorum;

import org.jspecify.annotations.Nullable;

/**
 * A line that a member's process prints: a report, an answer, or a failure.
 *
 * @param failure the reason why the process ends; null in a report and in an answer
 */
public record ChildLine(
        @Nullable MemberReport report,
        @Nullable Answer answer,
        @Nullable String failure) {

    /**
     * The answer to a {@link ChildCommand} that was carried out.
     *
     * @param number the number of the command
     */
    public record Answer(long number) {}

    public static ChildLine of(MemberReport report) {
        return new ChildLine(report, null, null);
    }

    public static ChildLine of(Answer answer) {
        return new ChildLine(null, answer, null);
    }

    public static ChildLine failed(String why) {
        return new ChildLine(null, null, why);
    }
}

package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.Nullable;

/** One line that the process of a member prints: a report, the answer to a command, or why the process ends. */
public record ChildLine(
        @Nullable MemberReport report,
        @Nullable Answer answer,
        @Nullable String failure) {

    /**
     * A {@link ChildCommand} was carried out.
     *
     * @param number of the command
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

package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.Nullable;

/** One line that the process of a member prints: a report, the answer to a command, or why the process ends. */
public record ChildLine(@Nullable MemberReport report, @Nullable Answer answer, @Nullable String failure) {

    /**
     * What became of a {@link ChildCommand}.
     *
     * @param number of the command
     * @param failure why it could not be carried out; null if it was
     */
    public record Answer(long number, @Nullable String failure) {}

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

package dev.doyen.server.run;

import java.util.OptionalLong;

/**
 * One thing that happened in a run, for people and for programs.
 *
 * @param event which kind, one word or two
 * @param sentence for people
 * @param term the term it is about, if any
 * @param leader who else leads, if it is about that; else empty
 * @param exitCode the command's, if it is about that
 * @param loud whether people want to know without asking
 */
public record Notice(
        String event, String sentence, OptionalLong term, String leader, OptionalLong exitCode, boolean loud) {

    /** Something to say in any case. */
    public static Notice loud(String event, String sentence) {
        return new Notice(event, sentence, OptionalLong.empty(), "", OptionalLong.empty(), true);
    }

    /** Something that only a program, or a curious person, wants to hear. */
    public static Notice quiet(String event, String sentence) {
        return new Notice(event, sentence, OptionalLong.empty(), "", OptionalLong.empty(), false);
    }

    Notice inTerm(long number) {
        return new Notice(event, sentence, OptionalLong.of(number), leader, exitCode, loud);
    }

    Notice ledBy(String id) {
        return new Notice(event, sentence, term, id, exitCode, loud);
    }

    Notice withExitCode(int code) {
        return new Notice(event, sentence, term, leader, OptionalLong.of(code), loud);
    }
}

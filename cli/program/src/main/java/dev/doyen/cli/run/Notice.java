package dev.doyen.cli.run;

import java.util.OptionalLong;

/**
 * An event of {@code doyen run}, for people and for programs.
 *
 * @param event the kind of event, in lower case with hyphens
 * @param sentence the event as a sentence for people
 * @param term the term of the event; empty if the event concerns no term
 * @param leader the id of another leader if the event concerns another leader; else empty
 * @param exitCode the exit code of the command; empty if the event is not the end of the command
 * @param loud true if the event is printed even without the verbose option
 */
public record Notice(
        String event, String sentence, OptionalLong term, String leader, OptionalLong exitCode, boolean loud) {

    /** Creates an event that is always printed. */
    public static Notice loud(String event, String sentence) {
        return new Notice(event, sentence, OptionalLong.empty(), "", OptionalLong.empty(), true);
    }

    /** Creates an event that is printed only in JSON output or with the verbose option. */
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

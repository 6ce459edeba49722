package dev.doyen.server.quorumdemo.driver;

import dev.doyen.server.run.driver.ParentDeath;
import dev.doyen.server.run.driver.SearchPath;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the processes of members are started and stopped on this system.
 *
 * @param prefix words before the command
 * @param kill the command that sends signals; empty if there is none
 */
record MemberCommand(List<String> prefix, Optional<Path> kill) {

    MemberCommand {
        prefix = List.copyOf(prefix);
    }

    /**
     * Looks for what this system has. A frozen process cannot notice that its parent has ended, so it is thawed then, if the
     * system can do that.
     */
    static MemberCommand find(SearchPath path) {
        return new MemberCommand(ParentDeath.words(path, "CONT"), path.find("kill"));
    }

    /** The words that start the process of a member, with the Java and the class path of this process. */
    List<String> words(MemberArguments arguments) {
        var words = new ArrayList<>(prefix);
        words.addAll(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xss512k",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProgram.class.getName()));
        words.addAll(arguments.words());
        return words;
    }
}

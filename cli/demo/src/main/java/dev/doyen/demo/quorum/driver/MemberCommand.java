package dev.doyen.demo.quorum.driver;

import dev.doyen.process.ParentDeath;
import dev.doyen.process.SearchPath;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How to start and signal member processes on this system.
 *
 * @param prefix the words before the command
 * @param kill the command that sends signals; empty if there is none
 */
record MemberCommand(List<String> prefix, Optional<Path> kill) {

    MemberCommand {
        prefix = List.copyOf(prefix);
    }

    /**
     * Finds the programs of this system.
     *
     * <p>A suspended process cannot notice that its parent has ended. So the kernel sends it SIGCONT in that case, if
     * the system supports that.
     */
    static MemberCommand find(SearchPath path) {
        return new MemberCommand(ParentDeath.words(path, "CONT"), path.find("kill"));
    }

    /** The command line of a member's process, with the Java and the class path of this process. */
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

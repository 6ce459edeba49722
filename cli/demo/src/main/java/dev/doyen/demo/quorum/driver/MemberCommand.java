package dev.doyen.demo.quorum.driver;

import dev.doyen.process.ParentDeath;
import dev.doyen.process.SearchPath;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands that start and signal member processes on this system.
 *
 * @param prefix the arguments to put before the member's command line
 * @param kill the command that sends signals; empty if this system has no such command
 */
record MemberCommand(List<String> prefix, Optional<Path> kill) {

    MemberCommand {
        prefix = List.copyOf(prefix);
    }

    /**
     * Finds the programs of this system that start and signal the processes of members.
     *
     * <p>A suspended process cannot detect the end of its parent. If this system supports parent-death signals, the
     * kernel resumes the suspended process with SIGCONT when the parent ends.
     */
    static MemberCommand find(SearchPath path) {
        return new MemberCommand(ParentDeath.commandPrefix(path, "CONT"), path.find("kill"));
    }

    /**
     * Returns the command line of a member's process. The member uses the same Java runtime and class path as this
     * process.
     */
    List<String> commandLine(MemberArguments arguments) {
        var commandLine = new ArrayList<>(prefix);
        commandLine.addAll(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xss512k",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProgram.class.getName()));
        commandLine.addAll(arguments.toList());
        return commandLine;
    }
}

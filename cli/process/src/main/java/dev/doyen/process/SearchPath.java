package dev.doyen.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds commands in a list of directories by the rules of execvp(3).
 *
 * <p>A name that contains a slash is a path. An empty entry in the list means the working directory.
 */
public final class SearchPath {

    private static final String DEFAULT = "/usr/local/bin:/usr/bin:/bin";

    private final List<String> directories;

    /**
     * Creates the search path.
     *
     * @param path the value of {@code PATH}; empty if it is not set
     */
    public SearchPath(Optional<String> path) {
        this.directories = List.of(path.orElse(DEFAULT).split(File.pathSeparator, -1));
    }

    /** Returns the search path of this process. */
    public static SearchPath ofThisProcess() {
        return new SearchPath(Optional.ofNullable(System.getenv("PATH")));
    }

    /** Returns the executable file of the command; empty if there is none. */
    public Optional<Path> find(String command) {
        return candidates(command).filter(SearchPath::canRun).findFirst();
    }

    /**
     * Checks that {@code command} can be run.
     *
     * @throws CannotStartException with exit code 127 if the command is empty or no such file exists, or with exit code
     *     126 if the file cannot be run
     */
    public void check(String command) throws CannotStartException {
        if (command.isEmpty()) {
            throw new CannotStartException(
                    CannotStartException.NOT_FOUND, "the command is empty; name a program after --");
        }
        if (find(command).isPresent()) {
            return;
        }
        var there = candidates(command).filter(Files::exists).findFirst();
        if (there.isEmpty()) {
            throw new CannotStartException(
                    CannotStartException.NOT_FOUND,
                    "the command \"" + command + "\" was not found"
                            + (command.contains("/") ? "; check the path" : " in PATH; name it by its path"));
        }
        throw new CannotStartException(
                CannotStartException.NOT_EXECUTABLE,
                "the command \"" + there.get() + "\" cannot be run: it is "
                        + (Files.isDirectory(there.get())
                                ? "a directory; name a program in it"
                                : "not executable; allow it by chmod +x"));
    }

    private Stream<Path> candidates(String command) {
        if (command.contains("/")) {
            return path(command).stream();
        }
        return directories.stream().flatMap(d -> path(d.isEmpty() ? command : d + "/" + command).stream());
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static boolean canRun(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}

package dev.doyen.server.run.driver;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories in which commands are looked for, as execvp(3) does: a name with a slash is a path by itself, and an
 * empty entry is the working directory.
 */
public final class SearchPath {

    private static final String DEFAULT = "/usr/local/bin:/usr/bin:/bin";

    private final List<String> directories;

    /** @param path what {@code PATH} holds; empty if it is not set */
    public SearchPath(Optional<String> path) {
        this.directories = List.of(path.orElse(DEFAULT).split(File.pathSeparator, -1));
    }

    /** The directories of this process's own {@code PATH}. */
    public static SearchPath ofThisProcess() {
        return new SearchPath(Optional.ofNullable(System.getenv("PATH")));
    }

    /** The file that would be run, if it can be found and run. */
    public Optional<Path> find(String command) {
        return candidates(command).filter(SearchPath::canRun).findFirst();
    }

    /** Throws if {@code command} names nothing that can be run: code 127 if there is no such file, 126 if there is. */
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

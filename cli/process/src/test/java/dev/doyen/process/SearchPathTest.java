package dev.doyen.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SearchPathTest {

    @TempDir
    private Path first;

    @TempDir
    private Path second;

    @Test
    void the_first_executable_file_of_the_path_is_used() throws Exception {
        file(first, "tool", "rw-r--r--");
        var tool = file(second, "tool", "rwxr-xr-x");
        path().check("tool");

        assertThat(path().find("tool")).contains(tool);
    }

    @Test
    void a_name_with_a_slash_is_a_path() throws Exception {
        var tool = file(first, "tool", "rwxr-xr-x");
        path().check(tool.toString());

        assertThat(path().find("./tool")).isEmpty();
    }

    @Test
    void an_unknown_command_is_127() {
        assertThat(refusal("nosuch")).hasMessageContainingAll("\"nosuch\"", "not found in PATH");
        assertThat(refusal("nosuch").exitCode()).isEqualTo(127);
        assertThat(refusal("./nosuch")).hasMessageContaining("check the path");
        assertThat(refusal("").exitCode()).isEqualTo(127);
        assertThat(refusal("\0").exitCode()).isEqualTo(127);
    }

    @Test
    void a_command_that_cannot_be_run_is_126() throws IOException {
        file(first, "tool", "rw-r--r--");

        assertThat(refusal("tool").exitCode()).isEqualTo(126);
        assertThat(refusal("tool")).hasMessageContainingAll(first + "/tool", "chmod +x");
        assertThat(refusal(first.toString()).exitCode()).isEqualTo(126);
        assertThat(refusal(first.toString())).hasMessageContaining("a directory");
    }

    @Test
    void the_system_directories_are_searched_without_path() {
        assertThat(new SearchPath(Optional.empty()).find("sh")).isPresent();
    }

    private CannotStartException refusal(String command) {
        return catchThrowableOfType(CannotStartException.class, () -> path().check(command));
    }

    private SearchPath path() {
        return new SearchPath(Optional.of(first + ":" + second));
    }

    private static Path file(Path directory, String name, String permissions) throws IOException {
        var file = Files.createFile(directory.resolve(name));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}

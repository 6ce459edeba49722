package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;

/**
 * Tests that the manual pages and the completions in release/program list the options of the program.
 *
 * <p>The files are generated from the program's own model. The command {@code ./dev fix} writes them.
 */
final class CommandFilesTest {

    private static final Path FOLDER = Path.of("..", "..", "release", "program");

    @Test
    void the_manual_pages_are_those_of_the_program() throws IOException {
        var program = CommandPageTest.program();
        Map<String, String> pages = new TreeMap<>();
        pages.put("doyen.1", ManualPage.of(program.getCommandSpec()));
        program.getSubcommands()
                .values()
                .forEach(each ->
                        pages.put(ManualPage.name(each.getCommandSpec()) + ".1", ManualPage.of(each.getCommandSpec())));

        checkFolder("man", pages);
    }

    @Test
    void the_completions_are_those_of_the_program() throws IOException {
        var program = CommandPageTest.program();

        checkFolder(
                "completions",
                Map.of(
                        "doyen.bash",
                        AutoComplete.bash("doyen", program),
                        "_doyen",
                        ZshCompletion.of(program.getCommandSpec()),
                        "doyen.fish",
                        FishCompletion.of(program.getCommandSpec())));
    }

    /** Checks that the folder contains exactly these files. If {@code rewrite} is set, writes them first. */
    private static void checkFolder(String name, Map<String, String> files) throws IOException {
        var folder = FOLDER.resolve(name);
        if (Boolean.getBoolean("rewrite")) {
            Files.createDirectories(folder);
            for (var file : files.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
        }
        try (var found = Files.list(folder)) {
            assertThat(found.map(file -> file.getFileName().toString()))
                    .as("the files in " + folder + "; otherwise run ./dev fix, and delete files of removed commands")
                    .containsExactlyInAnyOrderElementsOf(files.keySet());
        }
        for (var file : files.entrySet()) {
            assertThat(Files.readString(folder.resolve(file.getKey())))
                    .as(file.getKey() + " is current; otherwise run ./dev fix")
                    .isEqualTo(file.getValue());
        }
    }
}

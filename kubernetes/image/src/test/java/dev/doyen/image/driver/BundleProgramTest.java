package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests in testing/release check the results of this command. */
final class BundleProgramTest {

    @Test
    void a_folder_without_the_program_is_rejected(@TempDir Path folder) {
        var err = new StringWriter();
        int exitCode = BundleProgram.commandLine().setErr(new PrintWriter(err)).execute(folder.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("bundle: " + folder + " does not contain doyen.jar and the folder lib; give the folder into"
                        + " which release/program.sh has copied the program\n");
    }
}

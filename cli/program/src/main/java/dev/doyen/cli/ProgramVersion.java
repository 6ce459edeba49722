package dev.doyen.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the program. This class needs no other class of the program, so that {@code --version} starts fast. */
final class ProgramVersion {

    private ProgramVersion() {}

    /** Returns the name of the program with the version that the build wrote into the jar, such as "doyen 1.2.3". */
    static String line() {
        try (var in = ProgramVersion.class.getResourceAsStream("/doyen-version.properties")) {
            var properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return "doyen " + properties.getProperty("version", "of an unknown build");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

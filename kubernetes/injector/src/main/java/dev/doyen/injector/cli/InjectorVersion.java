package dev.doyen.injector.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version that the build wrote into the jar. */
final class InjectorVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        try (var in = InjectorVersion.class.getResourceAsStream("/doyen-injector-version.properties")) {
            var properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return new String[] {"doyen injector " + properties.getProperty("version", "of an unknown build")};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.doyen.hub.server.issuers;

import dev.doyen.elector.tls.ReloadedFiles;
import dev.doyen.hub.auth.IssuerKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file of a key set. */
record KeySetFile(Path path) implements ReloadedFiles.Source<String, IssuerKeys> {

    @Override
    public String read() throws IOException {
        try {
            if (Files.size(path) > IssuerKeys.MAX_LENGTH) {
                throw new IOException(path + " has more than " + IssuerKeys.MAX_LENGTH + " bytes; name a key set");
            }
            return Files.readString(path, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException(path + " does not exist", e);
        } catch (FileSystemException e) {
            throw new IOException(path + " cannot be read (" + e + ")", e);
        }
    }

    @Override
    public IssuerKeys parse(String text) throws IOException {
        try {
            return IssuerKeys.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " cannot be used: " + e.getMessage(), e);
        }
    }
}

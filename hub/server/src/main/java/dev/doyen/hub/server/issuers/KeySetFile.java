package dev.doyen.hub.server.issuers;

import dev.doyen.elector.reload.ReloadedFiles;
import dev.doyen.hub.auth.IssuerKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The file of a key set. */
record KeySetFile(Path path) implements ReloadedFiles.Source<String, IssuerKeys> {

    @Override
    public String read() throws IOException {
        byte[] bytes = ReloadedFiles.bytes(path, IssuerKeys.MAX_LENGTH, "a key set");
        // Unlike the constructors of String, the decoder rejects malformed text.
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
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

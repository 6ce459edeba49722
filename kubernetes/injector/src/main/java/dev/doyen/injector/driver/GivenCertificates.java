package dev.doyen.injector.driver;

import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.injector.certificate.ServingCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;

/**
 * Serves a certificate from files that another program, such as cert-manager, writes.
 *
 * <p>The class checks in each period whether the files have changed.
 */
final class GivenCertificates implements RepeatedTask.Work {

    private final InjectorSettings.Given files;
    private final Shown shown;

    GivenCertificates(InjectorSettings.Given files, Shown shown) {
        this.files = files;
        this.shown = shown;
    }

    @Override
    public void run() throws IOException {
        var read = new ServingCertificate(
                Files.readString(files.certificate(), StandardCharsets.US_ASCII),
                Files.readString(files.key(), StandardCharsets.US_ASCII),
                "");
        if (!shown.certificate().equals(Optional.of(read))) {
            shown.show(read, files.certificate() + " and " + files.key());
        }
    }
}

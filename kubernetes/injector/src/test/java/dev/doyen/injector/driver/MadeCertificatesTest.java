package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.doyen.injector.certificate.ServingCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which certificates and keys the injector accepts from a Secret and from files. */
class MadeCertificatesTest {

    private final CertificateMaker maker = new CertificateMaker(List.of("localhost"), Duration.ofDays(1));
    private final ServingCertificate first = maker.make(Instant.EPOCH, Optional.empty());
    private final ServingCertificate second = maker.make(Instant.EPOCH, Optional.empty());

    @TempDir
    Path directory;

    private static Optional<ServingCertificate> read(String certificate, String key, String authorities) {
        var secret = JsonNodeFactory.instance.objectNode();
        secret.putObject("data")
                .put("tls.crt", certificate.getBytes(StandardCharsets.US_ASCII))
                .put("tls.key", key.getBytes(StandardCharsets.US_ASCII))
                .put("ca.crt", authorities.getBytes(StandardCharsets.US_ASCII));
        return MadeCertificates.read("the-secret", new KubernetesApi.Answer(200, secret));
    }

    @Test
    void a_certificate_with_its_key_is_read() {
        assertThat(read(first.certificate(), first.key(), first.authorities())).contains(first);
    }

    @Test
    void a_Secret_with_a_key_that_does_not_belong_to_its_certificate_is_replaced() {
        assertThat(read(first.certificate(), second.key(), first.authorities())).isEmpty();
        assertThat(read(first.certificate(), "", first.authorities())).isEmpty();
    }

    @Test
    void a_Secret_that_is_missing_or_empty_is_replaced() {
        assertThat(read("", "", "")).isEmpty();
        assertThat(MadeCertificates.read("the-secret", new KubernetesApi.Answer(404, MissingNode.getInstance())))
                .isEmpty();
    }

    @Test
    void files_that_do_not_belong_together_are_rejected_with_their_names() throws Exception {
        Path certificate = Files.writeString(directory.resolve("tls.crt"), first.certificate());
        Path key = Files.writeString(directory.resolve("tls.key"), second.key());
        var files = new GivenCertificates(new InjectorSettings.Given(certificate, key), new Shown());
        assertThatThrownBy(files::run)
                .hasMessage(certificate + " and " + key + " are not a PEM certificate with its key: the certificate and"
                        + " the key do not belong together; replace one of them");
    }
}

package dev.doyen.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.server.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the pages for other machines. A second address of this machine replaces the address in a network. */
final class SharedPagesTest {

    @AutoClose
    private final DemoRequests demo = new DemoRequests();

    private final InetAddress other = InetAddress.getByName("127.0.0.2");
    private final InetSocketAddress shared =
            new InetSocketAddress(other, demo.server().hubAddress().getPort());

    SharedPagesTest() throws Exception {}

    @Test
    void nothing_listens_on_the_address_unless_the_demo_is_shared() throws Exception {
        assertThatThrownBy(() -> new Socket(shared.getAddress(), shared.getPort()).close())
                .isInstanceOf(IOException.class);
        assertThat(demo.get("/config.json").body()).contains("\"sharedUrl\":\"\"");
        assertThat(demo.get("/qr-code.svg").statusCode()).isEqualTo(404);

        share();

        new Socket(shared.getAddress(), shared.getPort()).close();
    }

    @Test
    void the_pages_of_both_addresses_show_the_shared_address_as_text_and_as_a_qr_code() throws Exception {
        String url = share();

        assertThat(url).isEqualTo(Urls.root("http", other, shared.getPort()));
        assertThat(demo.get("/config.json").body()).endsWith("\"sharedUrl\":\"" + url + "\",\"ownMachine\":true}");
        assertThat(ask("/config.json"))
                .endsWith("\"electorUrl\":\"\",\"claimTtlMillis\":5000,\"sharedUrl\":\"" + url
                        + "\",\"ownMachine\":false}");
        assertThat(demo.get("/qr-code.svg").headers().firstValue("Content-Type"))
                .contains("image/svg+xml");
        assertThat(QrReading.ofSvg(demo.get("/qr-code.svg").body())).isEqualTo(url);
        assertThat(QrReading.ofSvg(PageOverHttpTest.body(ask("/qr-code.svg")))).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"counter", "voting"})
    void a_page_on_another_machine_gets_the_rights_for_its_own_channel_only(String channel) throws Exception {
        share();

        var answer = ask("/token?clientId=ann&channel=" + channel);

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        PageOverHttpTest.assertAllowsOnly(channel, PageOverHttpTest.body(answer), shared);
    }

    @Test
    void a_page_on_another_machine_gets_no_token_for_another_channel() throws Exception {
        share();

        assertThat(ask("/token?clientId=ann&channel=orders"))
                .startsWith("HTTP/1.1 403 ")
                .contains("only for the channels of the demo's pages, and 'orders' is none of them");
    }

    @Test
    void only_the_own_machine_shares_its_tokens_with_pages_of_other_servers() throws Exception {
        share();

        assertThat(PageOverHttpTest.answerTo(
                        shared,
                        "GET /token?clientId=ann&channel=game HTTP/1.1\r\nHost: localhost\r\n"
                                + "Origin: http://localhost:8080\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("Access-Control-Allow-Origin");
    }

    @Test
    void the_hub_accepts_its_key_only_on_the_own_machine() throws Exception {
        share();
        String query = "?key=" + RunningServer.KEY + "&clientId=ann";

        try (var page = new RawWebSocket(shared, query);
                var own = new RawWebSocket(demo.server().hubAddress(), query)) {
            assertThat(page.read().text()).contains("\"action\":9,", "40101", "accepts no keys; connect with a token");
            assertThat(own.read().text()).contains("\"action\":4,");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /channels/counter/messages",
        "GET /time",
        "POST /keys/app.id/requestToken",
        "POST /keys/app.id/revokeTokens"
    })
    void the_rest_api_is_served_only_on_the_own_machine(String request) throws Exception {
        share();
        String basic = "Authorization: Basic "
                + Base64.getEncoder()
                        .encodeToString(RunningServer.KEY.getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(PageOverHttpTest.answerTo(
                        shared,
                        request + " HTTP/1.1\r\nHost: a\r\nX-Ably-Version: 3\r\n" + basic
                                + "\r\nContent-Length: 0\r\n\r\n"))
                .matches("(?s)HTTP/1.1 40[45] .*");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/console/",
        "GET,/console/events",
        "POST,/console/v1/elections/counter/resign",
        "GET,/quorum/",
        "POST,/quorum/v1/start"
    })
    void the_console_and_admin_commands_are_served_only_on_the_own_machine(String method, String path)
            throws Exception {
        share();

        assertThat(PageOverHttpTest.answerTo(
                        shared,
                        method + " " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: " + RunningServer.ADMIN
                                + "\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .contains("only on the machine of the demo");
    }

    private String share() throws Exception {
        return demo.pages().share(demo.server(), other);
    }

    private String ask(String path) throws Exception {
        return PageOverHttpTest.answerTo(shared, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.2\r\n\r\n");
    }
}

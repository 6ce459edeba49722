package dev.doyen.hub.server;

import dev.doyen.elector.http.HttpHandler;
import io.netty.channel.EventLoop;

/**
 * The pages of a hub's port, beside the console.
 *
 * <p>Threads: {@link HubServer} calls both methods on the thread that starts and closes it.
 */
public interface HubPages extends AutoCloseable {

    /** The pages of a hub without a demo: only the browser client. */
    HubPages CLIENT_ONLY = new HubPages() {
        @Override
        public HttpHandler site(String elector, EventLoop streams) {
            return new ClientHandler(HubServer.class.getClassLoader());
        }

        @Override
        public void close() {}
    };

    /**
     * Creates the site that answers requests for the pages.
     *
     * @param elector the root URL of the elector API, as a browser can open it
     * @param streams runs the event streams of the pages; it ends with the server
     */
    HttpHandler site(String elector, EventLoop streams);

    /** Stops what the pages have started. The server calls it when the hub's port is closed. */
    @Override
    void close();
}

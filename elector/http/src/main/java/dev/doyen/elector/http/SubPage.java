package dev.doyen.elector.http;

/**
 * A page under its own root path on a shared port, such as {@code /console/}.
 *
 * <p>The content security policy allows the page to contact only its own origin.
 */
public final class SubPage {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String root;
    private final String what;
    private final StaticFiles files;

    /**
     * Creates the page.
     *
     * @param root the root path of the page, with a leading slash and without a trailing slash
     * @param what the name of the page in one word, which is also the class path folder of its build
     */
    public SubPage(String root, String what) {
        this.root = root;
        this.what = what;
        this.files = new StaticFiles(SubPage.class.getClassLoader(), what);
    }

    /** Returns true if the path belongs to this page. */
    public boolean has(String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    /** Returns the response for a path for which {@link #has} returns true. */
    public HttpReply reply(String path) {
        String place = "the " + what + " is at " + root + "/.";
        if (path.equals(root)) {
            return HttpReply.sentence(308, "T" + place.substring(1)).with("Location", root + "/");
        }
        String name = path.substring(root.length());
        var file = files.find(name);
        if (file.isPresent()) {
            var headers = Reading.headers(file.get().contentType());
            headers.put("Content-Security-Policy", POLICY);
            return new HttpReply(200, headers, file.get().bytes());
        }
        return HttpReply.sentence(
                404,
                name.equals("/")
                        ? "This build contains no " + what + "; ./doyen builds one."
                        : "Nothing is served at this path; " + place);
    }
}

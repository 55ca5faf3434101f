# Makes C of the page of hsa-report: page.html with page.css and page.js in place of @STYLE@ and @SCRIPT@, as lines of
# two arrays of strings, page_before and page_after, between which the data go.
function line(text)
{
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    print "    \"" text "\\n\","
}
function embed(name,    text)
{
    while ((getline text < name) > 0)
        line(text)
    close(name)
}
BEGIN {
    print "/* Made from tools/page. */"
    print "static const char *const page_before[] = {"
}
$0 == "@STYLE@" { embed(folder "/page.css"); next }
$0 == "@SCRIPT@" { embed(folder "/page.js"); next }
$0 == "@DATA@" { print "};\nstatic const char *const page_after[] = {"; next }
{ line($0) }
END { print "};" }

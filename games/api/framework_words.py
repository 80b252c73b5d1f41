"""What Django REST framework says in errors, for our catalogues: it speaks no Serbian, and not all of it Russian and
Portuguese. Where a catalogue of ours has a text, Django takes that."""

from scoring.wording import mark, mark_n

TEXTS = (
    mark("A valid integer is required."),
    mark("Authentication credentials were not provided."),
    mark("Could not satisfy the request Accept header."),
    mark("Ensure this field has at least {min_length} characters."),
    mark("Ensure this field has at least {min_length} elements."),
    mark("Ensure this field has no more than {max_length} characters."),
    mark("Ensure this field has no more than {max_length} elements."),
    mark("Ensure this value is greater than or equal to {min_value}."),
    mark("Ensure this value is less than or equal to {max_value}."),
    mark('Expected a dictionary of items but got type "{input_type}".'),
    mark('Expected a list of items but got type "{input_type}".'),
    mark("Incorrect authentication credentials."),
    mark("Invalid data. Expected a dictionary, but got {datatype}."),
    mark("Malformed request."),
    mark('Method "{method}" not allowed.'),
    mark("Must be a valid boolean."),
    mark("Not a valid string."),
    mark("Not found."),
    mark("Request was throttled."),
    mark("String value too large."),
    mark("This dictionary may not be empty."),
    mark("This field is required."),
    mark("This field may not be blank."),
    mark("This field may not be null."),
    mark("This list may not be empty."),
    mark('Unsupported media type "{media_type}" in request.'),
    mark("Value must be valid JSON."),
    mark("You do not have permission to perform this action."),
    mark('"{input}" is not a valid choice.'),
)
WAIT = mark_n("Expected available in {wait} second.", "Expected available in {wait} seconds.")

/// English words that alone in a user interface can be a verb or a noun, or need a gender in other languages, such as “Book” and “All”.
enum AmbiguousWords {
  static let all = Set(
    """
    access address alarm alert all any appearance archive arrange attach auto average back bar bark base block board book border box \
    bright build call cast center change charge charging chat check clean clear click clock close closed code color comment complete \
    completed connect connected contact contract control cool copy count cover crop cross current custom cut dark date default delay design \
    dial direct disabled display down download draft draw drink drive drop due edge effort empty enabled end entry even event exchange \
    exercise exit experience export fair fall favorite feed feedback field file fill filter final find finish finished first fit fix flag \
    flash flat float focus fold follow force fork form format forward found frame free front full function general go good group guide hard \
    head heat help hidden hide high highlight hold home host image import index individual input install issue item join jump \
    keep key label land last launch lead leading left left-hand length level lift light like line link list listen live load local \
    lock locked log login logout long loop lost low manual map march mark master match maximum may medium member merge message mid mind \
    minimum minute missing mode model monitor more mouse move mute name native natural network never new next none normal notice object odd \
    off offer on online open order original other out output outline overlay owner pack paid pair park part pass paste past patch pause \
    pending permit phone pick pin place plain plan play plot point poll pop port position post power preset press preview primary print \
    private process profile program progress project prompt public pull push quick quit quote random range rate raw read \
    reading ready record recording refill refresh register release remote repeat reply report request require reset resort rest result \
    resume return review reward right ring roll root rotate round row rule run sample save scale scan schedule score screen scroll search \
    second secondary section select selected send sent set setting shade shadow shape share shared shift short show side sign signal silent \
    single size skip sleep slide slow small smart snap snooze soft solid solve solved sort sound source space speed split spot spring stack \
    stage standard star start state station status stay step sticky stock stop store stream stretch strong style subject submit subscribe \
    support swap swipe switch symbol sync tab table tag take talk tap target test text tie tile time timer tint tip title today \
    toggle tone tool top total touch track trade trailing train transfer transform transition trash travel trigger trim try turn type \
    undo unit unknown unread up update updated upload use used user value view visit voice volume vote wait walk wall warm warning wash \
    watch wheel wide window work wrap write zone zoom
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
